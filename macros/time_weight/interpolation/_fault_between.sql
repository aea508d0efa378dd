{#- What is wrong between a bucket, its summary and the neighbours' summaries, as a text; null when nothing is. -#}
{% macro _fault_between() -%}
    {%- set told = {'own': 'the bucket', 'prev': '`prev`', 'next': '`next`'} -%}
    case
                when b.from >= b.to then
                    concat('the bucket is [', timestamp_micros(b.from), ', ', timestamp_micros(b.to), '), which ends before it begins')
                {%- for one, other in [('own', 'prev'), ('own', 'next'), ('prev', 'next')] %}
                when b.{{ one }}.method <> b.{{ other }}.method then
                    concat('{{ told[one] }} has the method ', b.{{ one }}.method, ' and {{ told[other] }} ', b.{{ other }}.method)
                when b.{{ one }} is not null and b.{{ other }} is not null and not b.{{ one }}.gap <=> b.{{ other }}.gap then
                    concat('{{ told[one] }} has a gap of ', {{ strandline._told_gap('b.' ~ one ~ '.gap') }}, ' and {{ told[other] }} of ',
                        {{ strandline._told_gap('b.' ~ other ~ '.gap') }})
                {%- endfor %}
                {%- for side, is_outside in [
                    ('own', 'unix_micros(b.own.first_time) < b.from or unix_micros(b.own.last_time) >= b.to'),
                    ('prev', 'unix_micros(b.prev.last_time) >= b.from'), ('next', 'unix_micros(b.next.first_time) < b.to')] %}
                when {{ is_outside }} then
                    concat('the summary of {{ told[side] }} lasts from ', b.{{ side }}.first_time, ' to ', b.{{ side }}.last_time,
                        ', and the bucket is [', timestamp_micros(b.from), ', ', timestamp_micros(b.to), '); are its start and length right?')
                {%- endfor %}
            end
{%- endmacro %}

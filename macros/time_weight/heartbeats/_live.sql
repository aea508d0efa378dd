{#- The live ranges of heartbeats between their start and end, in microseconds; with `prev`, also what its last heartbeat
    keeps alive beyond it. -#}
{% macro _live(summary, prev=none) -%}
    {%- set ranges = '(' ~ summary ~ ').ranges' -%}
    {%- if prev -%}
        {%- set lent = "named_struct('start', (" ~ prev ~ ").last_time, 'end', timestamp_micros(unix_micros((" ~ prev ~ ").last_time) + (" ~ prev ~ ").interval))" -%}
        {%- set ranges = 'concat(' ~ ranges ~ ', if((' ~ prev ~ ').last_time is null, array(), array(' ~ lent ~ ')))' -%}
    {%- endif -%}
    filter(transform({{ strandline._joined_ranges(strandline._micro_ranges(ranges)) }}, x -> named_struct(
            'from', greatest(x.from, unix_micros(({{ summary }}).start)), 'to', least(x.to, unix_micros(({{ summary }}).end)))), x -> x.from < x.to)
{%- endmacro %}

{#- The answers of one duration: that table's rows joined to the good requests for it. Constant bounds
    stand beside the table, where Delta skips files by them; those of the request stand in the join,
    and beside the table only as far as partitions go. `judged` is none when no request can be wrong. -#}
{% macro _join_rows(join, duration, judged=none) %}
    {%- set beside, conditions = [], [] -%}
    {%- for side, operator in [('start', '>='), ('end', '<')] -%}
        {%- set bound = join.within[side] -%}
        {%- if bound and bound.kind == 'constant' -%}
            {%- do beside.append('agg_timestamp ' ~ operator ~ ' timestamp_millis(' ~ bound.millis ~ ')') -%}
        {%- else -%}
            {%- do beside.append(strandline._requested_partitions(join, duration, side, judged)) -%}
            {%- do conditions.append('a.agg_timestamp ' ~ operator ~ ' b.strandline_' ~ side) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if join.on -%}{%- do conditions.append('(' ~ join.on ~ ')') -%}{%- endif -%}
select
    {%- for item in join.select %}
    {{ item.sql }} as {{ item.name }},
    {%- endfor %}
    cast(null as string) as request_error
from {{ judged or '(select * from ' ~ join.requests ~ ')' }} as b
{{ 'inner' if conditions else 'cross' }} join (
    {{ strandline._retrieved_rows(join.definition, duration, beside) }}
) as a
    {%- for condition in conditions %}
    {{ 'on' if loop.first else 'and' }} {{ condition }}
    {%- endfor %}
    {%- if judged %}
where {{ strandline._valid_requests(join, duration) }}
    {%- endif %}
{%- endmacro %}

{#- A condition on the partition column: none before the first or after the last that the good requests
    ask for. Spark computes it before it reads the table, and so skips all other files. A day is
    allowed for clocks that go back at midnight, where dates go back with them. -#}
{% macro _requested_partitions(join, duration, side, requests) -%}
    {%- set unit = strandline._duration(duration).partition -%}
agg_partition {{ '>=' if side == 'start' else '<=' }} (
            select {{ strandline._partition_of('outermost', unit, join.definition.time_zone) }}
            from (
                select
                    {%- if side == 'start' %}
                    timestamp_seconds(unix_seconds(min(b.strandline_start)) - 86400) as outermost
                    {%- else %}
                    timestamp_seconds(unix_seconds(max(b.strandline_end)) + 86400) as outermost
                    {%- endif %}
                from {{ requests }} as b
                where {{ strandline._valid_requests(join, duration) }}
            )
        )
{%- endmacro %}

{#- The condition that a request can be answered, and by the table of this duration. -#}
{% macro _valid_requests(join, duration) -%}
b.strandline_error is null
{%- if join.per_column %} and b.strandline_per = '{{ duration }}'{% endif -%}
{%- endmacro %}

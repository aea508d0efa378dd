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
            {%- do beside.append(strandline._asked_partitions(join, duration, side, judged)) -%}
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
where {{ strandline._good_requests(join, duration) }}
    {%- endif %}
{%- endmacro %}

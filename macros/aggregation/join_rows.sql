{#- The answers of one duration: the rows of that table joined to its valid requests. Constant
    bounds are filters of the table, by which Delta skips files. Bounds from the requests are join
    conditions, and filters on the partitions of the table. `checked` is none if no request can be
    invalid. -#}
{% macro _join_rows(join, duration, checked=none) %}
    {%- set filters, conditions = [], [] -%}
    {%- for side, operator in [('start', '>='), ('end', '<')] -%}
        {%- set bound = join.within[side] -%}
        {%- if bound and bound.kind == 'constant' -%}
            {%- do filters.append('agg_timestamp ' ~ operator ~ ' timestamp_millis(' ~ bound.millis
                ~ ')') -%}
        {%- else -%}
            {%- do filters.append(strandline._requested_partitions(join, duration, side,
                checked)) -%}
            {%- do conditions.append('a.agg_timestamp ' ~ operator ~ ' b.__' ~ side) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if join.on -%}{%- do conditions.append('(' ~ join.on ~ ')') -%}{%- endif -%}
select
    {%- for item in join.select %}
    {{ item.sql }} as {{ strandline._quoted(item.name) }},
    {%- endfor %}
    cast(null as string) as request_error
from {{ checked or '(select * from ' ~ join.requests ~ ')' }} as b
{{ 'inner' if conditions else 'cross' }} join (
    {{ strandline._retrieved_rows(join.definition, duration, filters) }}
) as a
    {%- for condition in conditions %}
    {{ 'on' if loop.first else 'and' }} {{ condition }}
    {%- endfor %}
    {%- if checked %}
where {{ strandline._valid_requests(join, duration) }}
    {%- endif %}
{%- endmacro %}

{#- A filter on the partition column: no partition before the first or after the last that the valid
    requests need. Spark computes it before it reads the table, and so skips all other files. It
    allows one more day, because the local date can go back if the clock goes back at midnight. -#}
{% macro _requested_partitions(join, duration, side, requests) -%}
    {%- set unit = strandline._duration(duration).partition -%}
agg_partition {{ '>=' if side == 'start' else '<=' }} (
            select {{ strandline._partition_of('bound', unit, join.definition.time_zone) }}
            from (
                select
                    {%- if side == 'start' %}
                    timestamp_seconds(unix_seconds(min(b.__start)) - 86400) as bound
                    {%- else %}
                    timestamp_seconds(unix_seconds(max(b.__end)) + 86400) as bound
                    {%- endif %}
                from {{ requests }} as b
                where {{ strandline._valid_requests(join, duration) }}
            )
        )
{%- endmacro %}

{#- Whether a request is valid and reads the table of this duration. -#}
{% macro _valid_requests(join, duration) -%}
b.__error is null
{%- if join.per_column %} and b.__per = '{{ duration }}'{% endif -%}
{%- endmacro %}

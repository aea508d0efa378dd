{#- A condition on the partition column: none before the first or after the last that the good requests
    ask for. Spark computes it before it reads the table, and so skips all other files. A day is
    allowed for clocks that go back at midnight, where dates go back with them. -#}
{% macro _asked_partitions(join, duration, side, requests) -%}
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
                where {{ strandline._good_requests(join, duration) }}
            )
        )
{%- endmacro %}

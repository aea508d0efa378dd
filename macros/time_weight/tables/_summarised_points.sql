{#- The rows of a table of summaries, from the CTE `points`. With `spread` the rows are dealt out by partition, so that each file
    is written once. -#}
{% macro _summarised_points(task, spread=false) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(agg_bucket)', task.partition, 'UTC') -%}
    {%- set source = '(select *, ' ~ partition ~ ' as agg_partition from points distribute by agg_partition)' if spread
        else '(select *, ' ~ partition ~ ' as agg_partition from points)' -%}
    {{- strandline['_' ~ task.summary ~ '_rows'](task, source) }}
{%- endmacro %}

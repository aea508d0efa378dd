{#- The rows of a table of summaries, from the CTE `points`. With `spread` the rows are dealt out by partition, so that each file
    is written once. What a summary is, and over which rows it is an aggregate, each kind says for itself:
    `_time_weight_summary`, `_state_agg_summary`. The group begins with the bucket, by which Spark's sort tells most rows apart. -#}
{% macro _summarised_points(task, spread=false) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(agg_bucket)', task.partition, 'UTC') -%}
    {%- set source = '(select *, ' ~ partition ~ ' as agg_partition from points distribute by agg_partition)' if spread
        else '(select *, ' ~ partition ~ ' as agg_partition from points)' -%}
    {%- set keys = (['agg_bucket'] + task['keys'] + ['agg_partition']) | join(', ') -%}
    {%- set made = strandline['_' ~ task.summary ~ '_summary'](task, source, keys) -%}
select
    timestamp_micros(agg_bucket) as agg_timestamp,
    {%- for key in task['keys'] %}
    {{ key }},
    {%- endfor %}
    max(agg_arrival) as agg_arrival,
    {{ made.summary }} as summary,
    agg_partition
from {{ made.rows }}
group by {{ keys }}
{%- endmacro %}

{#- Time weights by key and bucket, by windows rather than collected arrays: one sort by bucket and time, and no group has to fit
    into memory. Of points of one time the first to arrive counts; the others only move the mark. The windows and the group by
    begin with the bucket, by which Spark's sort tells most rows apart, and no aggregate needs more than numbers. -#}
{% macro _time_weight_rows(task, source) -%}
    {%- set keys = (['agg_bucket'] + task['keys'] + ['agg_partition']) | join(', ') -%}
    {%- set order = 'partition by ' ~ keys ~ ' order by agg_t, agg_arrival, agg_value' -%}
    {%- set method, gap, length = "'" ~ task.method ~ "'", task.gap, '(agg_t - agg_t_before)' -%}
    {%- set counted = strandline._counted(method, gap, length) -%}
select
    timestamp_micros(agg_bucket) as agg_timestamp,
    {%- for key in task['keys'] %}
    {{ key }},
    {%- endfor %}
    max(agg_arrival) as agg_arrival,
    named_struct(
        'method', {{ method }}, 'gap', {{ gap }},
        'weighted_sum', coalesce(sum({{ strandline._weight(method, 'agg_value_before', 'agg_value', counted) }}) filter (where is_first), 0D),
        'elapsed', coalesce(sum({{ counted }}) filter (where is_first), 0L),
        'num_gaps', count_if(is_first and {{ length }} > {{ gap }}),
        'first_time', timestamp_micros(min(agg_t)), 'first_value', min_by(agg_value, agg_t) filter (where is_first),
        'last_time', timestamp_micros(max(agg_t)), 'last_value', max_by(agg_value, agg_t) filter (where is_first)) as summary,
    agg_partition
from (
    select
        *,
        lag(if(is_first, agg_value, null)) ignore nulls over ({{ order }}) as agg_value_before
    from (
        select *, lag(agg_t) over ({{ order }}) as agg_t_before, not agg_t <=> lag(agg_t) over ({{ order }}) as is_first
        from (select * except (agg_value), cast(agg_value as double) as agg_value from {{ source }})
    )
)
group by {{ keys }}
{%- endmacro %}

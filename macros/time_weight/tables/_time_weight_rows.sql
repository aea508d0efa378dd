{#- Time weights by key and bucket, by windows rather than collected arrays: one sort by bucket and time, and no group has to fit
    into memory. Of points of one time the first to arrive counts; the others only move the mark. -#}
{% macro _time_weight_rows(task, source) -%}
    {%- set keys = (['agg_partition', 'agg_bucket'] + task['keys']) | join(', ') -%}
    {%- set order = 'partition by ' ~ keys ~ ' order by agg_t, agg_arrival, cast(agg_value as double)' -%}
    {%- set method, gap, length = "'" ~ task.method ~ "'", task.gap, '(agg_t - agg_before.t)' -%}
    {%- set counted = strandline._counted(method, gap, length) -%}
select
    timestamp_micros(agg_bucket) as agg_timestamp,
    {%- for key in task['keys'] %}
    {{ key }},
    {%- endfor %}
    max(agg_arrival) as agg_arrival,
    named_struct(
        'method', {{ method }}, 'gap', {{ gap }},
        'weighted_sum', coalesce(sum({{ strandline._weight(method, 'agg_before.value', 'agg_value', counted) }}) filter (where is_first), 0D),
        'elapsed', coalesce(sum({{ counted }}) filter (where is_first), 0L),
        'num_gaps', count_if(is_first and {{ length }} > {{ gap }}),
        'first_time', timestamp_micros(min(agg_t)), 'first_value', min(struct(agg_t, agg_value)) filter (where is_first).agg_value,
        'last_time', timestamp_micros(max(agg_t)), 'last_value', max(struct(agg_t, agg_value)) filter (where is_first).agg_value) as summary,
    agg_partition
from (
    select
        *,
        last_value(if(is_first, named_struct('t', agg_t, 'value', agg_value), null), true) over (
            {{ order }} rows between unbounded preceding and 1 preceding) as agg_before
    from (
        select * except (agg_value), cast(agg_value as double) as agg_value, not agg_t <=> lag(agg_t) over ({{ order }}) as is_first
        from {{ source }}
    )
)
group by {{ keys }}
{%- endmacro %}

{#- Time weights by key and bucket, by windows rather than collected arrays: one sort by bucket and time, and no group has to fit
    into memory. Of points of one time the first to arrive counts; the others only move the mark. No aggregate needs
    more than numbers. -#}
{% macro _time_weight_summary(task, source, keys) %}
    {%- set order = 'partition by ' ~ keys ~ ' order by agg_t, agg_arrival, agg_value' -%}
    {%- set method, gap, length = "'" ~ task.method ~ "'", task.gap, '(agg_t - agg_t_before)' -%}
    {%- set counted = strandline._counted(method, gap, length) -%}
    {%- set summary -%}
    named_struct(
        'method', {{ method }}, 'gap', {{ gap }},
        'weighted_sum', coalesce(sum({{ strandline._weight(method, 'agg_value_before', 'agg_value', counted) }}) filter (where is_first), 0D),
        'elapsed', coalesce(sum({{ counted }}) filter (where is_first), 0L),
        'num_gaps', count_if(is_first and {{ length }} > {{ gap }}),
        'first_time', timestamp_micros(min(agg_t)), 'first_value', min_by(agg_value, agg_t) filter (where is_first),
        'last_time', timestamp_micros(max(agg_t)), 'last_value', max_by(agg_value, agg_t) filter (where is_first))
    {%- endset -%}
    {%- set rows -%}
(
    select *, lag(if(is_first, agg_value, null)) ignore nulls over ({{ order }}) as agg_value_before
    from (
        select *, not agg_t <=> agg_t_before as is_first
        from (
            select *, lag(agg_t) over ({{ order }}) as agg_t_before
            from (select * except (agg_value), cast(agg_value as double) as agg_value from {{ source }})
        )
    )
)
    {%- endset -%}
    {{- return({'summary': summary, 'rows': rows}) -}}
{% endmacro %}

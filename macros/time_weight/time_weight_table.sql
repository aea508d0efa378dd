{#- The body of an incremental model of time weights by key and bucket. See _macros.yml. -#}
{% macro time_weight_table(source, ts, value, method, bucket, keys=[], gap=none,
    arrival='arrival', not_after=none) %}
    {{- strandline._points_table(strandline._time_weight_task(strandline._arguments(
        strandline._caller('time_weight_table'), kwargs, varargs, strandline._points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._time_weight_arguments(value, method, gap))))) }}
{% endmacro %}

{#- The body of the model of points that a time_weight_table does not count, with the reason. It has
    the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro time_weight_late(source, ts, value, method, bucket, keys=[], gap=none,
    arrival='arrival', not_after=none, table=none) %}
    {{- strandline._late_points_table(strandline._time_weight_task(strandline._arguments(
        strandline._caller('time_weight_late'), kwargs, varargs, strandline._late_points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._time_weight_arguments(value, method, gap), table)))) }}
{% endmacro %}

{#- The arguments of a table of time weights beside those of all tables of points. -#}
{% macro _time_weight_arguments(value, method, gap) %}
    {{- return({
        'value': ['column', value, "name the column of the points' value", {'type': 'number'}],
        'method': strandline._method_argument(method),
        'gap': strandline._gap_argument(gap),
    }) -}}
{% endmacro %}

{#- What was read of them, with the task of the materialization. -#}
{% macro _time_weight_task(read) %}
    {{- return(strandline._points_task('time_weight', read, read.value, {
        'gap': strandline._gap_micros(read.gap),
        'method': strandline._methods().get(read.method)})) -}}
{% endmacro %}

{#- The time weight of the rows of a group, as an aggregate expression. It uses window functions
    instead of collected arrays, so that there is one sort by bucket and time, and no group has to
    fit into memory. Of points of equal time the first to arrive counts; the others have an interval
    of length zero. All aggregates are numeric. -#}
{% macro _time_weight_summary(task) -%}
    {%- set method, gap, length = "'" ~ task.method ~ "'", task.gap, '__length' -%}
    {%- set counted = strandline._counted(method, gap, length) -%}
    named_struct(
        'method', {{ method }}, 'gap', {{ gap }},
        'weighted_sum', coalesce(sum({{ strandline._weight(method, '__value_before', '__value',
            counted) }}), 0D),
        'elapsed', coalesce(sum({{ counted }}), 0L),
        'num_gaps', count_if({{ length }} > {{ gap }}),
        'first_time', timestamp_micros(min(__t)),
        'first_value', min_by(__value, __t) filter (where __is_first),
        'last_time', timestamp_micros(max(__t)),
        'last_value', max_by(__value, __t) filter (where __is_first))
{%- endmacro %}

{#- The points of a table of time weights with the columns that their summary reads: `__is_first`,
    `__length` and `__value_before`. -#}
{% macro _time_weight_rows(task, source, keys) %}
    {%- set points = '(select * except (__value), cast(__value as double) as __value from '
        ~ source ~ ')' -%}
    {%- if task.method == 'linear' -%}
        {{- return(strandline._linear_rows(points, keys)) -}}
    {%- endif -%}
    {{- return(strandline._locf_rows(points, keys)) -}}
{% endmacro %}

{#- Points with the time since the previous point and its value, for lines, which need the counted
    point of both times in one row. Of points of equal time the first to arrive is sorted first, and
    a second window function skips the others. -#}
{% macro _linear_rows(points, keys) -%}
    {%- set order = 'partition by ' ~ keys ~ ' order by __t, __arrival, __value' -%}
(
    select *, lag(if(__is_first, __value, null)) ignore nulls over ({{ order }}) as __value_before
    from (
        select *, not __length <=> 0 as __is_first
        from (
            select *, __t - lag(__t) over ({{ order }}) as __length
            from {{ points }}
        )
    )
)
{%- endmacro %}

{#- Points with the time until the next point and the value that is valid until then, for LOCF; one
    window function is enough. Of points of equal time the first to arrive is sorted last, so that
    its value lasts until the next time. -#}
{% macro _locf_rows(points, keys) -%}
(
    select
        *,
        __value as __value_before,
        not __length <=> 0 as __is_first
    from (
        select
            *,
            lead(__t) over (partition by {{ keys }} order by __t, __arrival desc,
                __value desc) - __t as __length
        from {{ points }}
    )
)
{%- endmacro %}

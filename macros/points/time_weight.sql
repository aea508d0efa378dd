{#- The time-weight summary of the points of a group: an aggregate expression. See _macros.yml. -#}
{% macro time_weight(ts, value, method, gap=none, arrival=none, nulls='ignore') -%}
    {%- set read = strandline._arguments(strandline._caller('time_weight', value), kwargs,
        varargs, {
        'ts': ['any', ts, "name the column of the points' time"],
        'value': ['any', value, "name the column of the points' value"],
        'method': strandline._method_argument(method),
        'gap': strandline._gap_argument(gap),
        'arrival': ['any', arrival],
        'nulls': strandline._nulls_argument(nulls),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- strandline._folded_points(
        strandline._collected_points(ts, value, arrival, read.nulls == 'end'),
        "'" ~ strandline._methods()[read.method] ~ "'", strandline._gap_micros(read.gap)) }}
{%- endmacro %}

{#- The time weight of an array of points in the order of time; null if it is empty. A point of a
    null value ends the value before it. -#}
{% macro _folded_points(points, method, gap) -%}
    {%- set step = strandline._interval(method, gap, 'p.t - s.lt', 's.lv', 'p.value') -%}
    aggregate(
        {{ points }},
        cast(null as struct<ws: double, el: bigint, gaps: bigint, ft: bigint, fv: double,
            lt: bigint, lv: double>),
        (s, p) -> case
            when s is null then named_struct('ws', 0D, 'el', 0L, 'gaps', 0L, 'ft', p.t,
                'fv', p.value, 'lt', p.t, 'lv', p.value)
            when p.t = s.lt then s
            else named_struct(
                'ws', s.ws + {{ step.weight }},
                'el', s.el + {{ step.counted }},
                'gaps', s.gaps + if({{ step.is_gap }}, 1L, 0L),
                'ft', s.ft, 'fv', s.fv, 'lt', p.t, 'lv', p.value)
            end,
        s -> if(s is null, null, named_struct(
            'method', {{ method }}, 'gap', {{ gap }}, 'weighted_sum', s.ws, 'elapsed', s.el,
            'num_gaps', s.gaps,
            'first_time', timestamp_micros(s.ft), 'first_value', s.fv,
            'last_time', timestamp_micros(s.lt), 'last_value', s.lv)))
{%- endmacro %}

{#- The interval between two adjacent points, as SQL expressions of its length in microseconds and
    of both values:

    - `counted`: the counted part of it, in microseconds. With LOCF a value is valid for at most the
      gap; an interval longer than the gap has no line. After a null nothing is valid, and no line
      leads to one.
    - `weight`: its contribution to the weighted sum, in value × seconds; zero if nothing is
      counted, even if a value is NaN or infinite.
    - `is_gap`: whether it ends at a value, and some time before that is not counted. So the time
      around a null is one gap, also with several nulls, or with one after the gap's length. -#}
{% macro _interval(method, gap, length, before, after) %}
    {%- set counted = 'case when ' ~ before ~ ' is null or ' ~ method ~ " <> 'locf' and ("
        ~ after ~ ' is null or ' ~ length ~ ' > ' ~ gap ~ ') then 0L when ' ~ length ~ ' > ' ~ gap
        ~ ' then ' ~ gap ~ ' else ' ~ length ~ ' end' -%}
    {{- return({
        'counted': counted,
        'weight': 'if(' ~ counted ~ ' = 0, 0D, if(' ~ method ~ " = 'locf', " ~ before ~ ', ('
            ~ before ~ ' + ' ~ after ~ ') / 2) * ((' ~ counted ~ ') / 1e6D))',
        'is_gap': after ~ ' is not null and (' ~ length ~ ' > ' ~ gap ~ ' or ' ~ before
            ~ ' is null and ' ~ length ~ ' > 0)',
    }) -}}
{% endmacro %}

{#- The points of a group in the order of time, as an array. Points without a time are ignored, and
    those without a value if these end nothing. Points of equal time are sorted by arrival, or
    without an arrival by value, so that the result does not depend on the order of the rows. -#}
{% macro _collected_points(ts, value, arrival=none, nulls_end=false) -%}
    sort_array(collect_list(case when {{ ts }} is not null
        {{- '' if nulls_end else ' and ' ~ value ~ ' is not null' }}
        then named_struct(
        't', unix_micros(cast({{ ts }} as timestamp)),
        {%- if arrival %} 'arrival', {{ arrival }},{% endif %} 'value',
        cast({{ value }} as double)) end))
{%- endmacro %}

{#- The argument `gap`, for `_arguments`: microseconds, or none for a signal without gaps. -#}
{% macro _gap_argument(gap) %}
    {{- return(['length', gap, "write a length of time above 0 such as '30 minutes' or 'PT30M' "
        ~ "(weeks to microseconds), or none for a signal without gaps", {'optional': true}]) -}}
{% endmacro %}

{#- A gap as an SQL expression of its microseconds. -#}
{% macro _gap_micros(gap) %}
    {{- return('cast(null as bigint)' if gap is none else gap ~ 'L') -}}
{% endmacro %}

{#- The argument `nulls`, for `_arguments`: what a null value does. -#}
{% macro _nulls_argument(nulls) %}
    {{- return(['choice', nulls, "write 'ignore' (a row without a value is no point) or 'end' (it "
        ~ "ends the value before it)", {'of': ['ignore', 'end']}]) -}}
{% endmacro %}

{#- The argument `method`, for `_arguments`: a name of `_methods`. -#}
{% macro _method_argument(method) %}
    {{- return(['choice', method, 'write one of ' ~ strandline._choices(strandline._methods()),
        {'of': strandline._methods() | list, 'lower': true}]) -}}
{% endmacro %}

{#- The methods of a time weight: the accepted names, in any case, and the stored names. -#}
{% macro _methods() %}
    {{- return({'locf': 'locf', 'linear': 'linear', 'trapezoidal': 'linear'}) -}}
{% endmacro %}

{#- A gap in a message. -#}
{% macro _gap_text(gap) -%}
    coalesce(concat({{ gap }} / 1e6D, ' seconds'), 'none')
{%- endmacro %}

{#- The summaries of a group in the order of time, as the field `part` of an array of structs. -#}
{% macro _collected_parts(summary) -%}
    sort_array(collect_list(case when {{ summary }} is not null
        then named_struct('from', ({{ summary }}).first_time, 'to', ({{ summary }}).last_time,
            'part', {{ summary }}) end))
{%- endmacro %}

{#- The time weight of an array of parts in the order of time. The interval between two adjacent
    parts is counted like an interval inside a part. Parts that overlap or touch, or have different
    methods or gaps, fail the query. -#}
{% macro _merged_time_weights(parts) -%}
    {%- set length = '(unix_micros(p.part.first_time) - unix_micros(s.last_time))' -%}
    {%- set step = strandline._interval('s.method', 's.gap', length, 's.last_value',
        'p.part.first_value') -%}
    aggregate(
        {{ parts }},
        cast(null as struct<method: string, gap: bigint, weighted_sum: double, elapsed: bigint,
            num_gaps: bigint,
            first_time: timestamp, first_value: double, last_time: timestamp, last_value: double>),
        (s, p) -> case
            when s is null then p.part
            when {{ strandline._is_incompatible('s', 'p.part') }}
                then raise_error(concat('time_weight: ',
                case
                    when s.method <> p.part.method
                        then concat('one part has the method ', s.method, ' and the next ',
                            p.part.method)
                    when not s.gap <=> p.part.gap
                        then concat('one part has a gap of ', {{ strandline._gap_text('s.gap') }},
                        ' and the next of ', {{ strandline._gap_text('p.part.gap') }})
                    else concat('parts ', if(s.last_time = p.part.first_time, 'touch', 'overlap'),
                        ': one lasts to ', s.last_time, ' and the next begins at ',
                        p.part.first_time)
                end,
                '; merge only summaries with the same method and gap that have no instant in ',
                'common'))
            else named_struct(
                'method', s.method, 'gap', s.gap,
                'weighted_sum', s.weighted_sum + p.part.weighted_sum
                    + {{ step.weight }},
                'elapsed', s.elapsed + p.part.elapsed + {{ step.counted }},
                'num_gaps', s.num_gaps + p.part.num_gaps + if({{ step.is_gap }}, 1L, 0L),
                'first_time', s.first_time, 'first_value', s.first_value,
                'last_time', p.part.last_time, 'last_value', p.part.last_value)
            end)
{%- endmacro %}

{#- Whether two adjacent time weights cannot be merged. -#}
{% macro _is_incompatible(a, b) -%}
    {{ a }}.method <> {{ b }}.method or not {{ a }}.gap <=> {{ b }}.gap
        or {{ a }}.last_time >= {{ b }}.first_time
{%- endmacro %}

{#- The body of an incremental model of time weights by key and bucket. See _macros.yml. -#}
{% macro time_weight_table(source, ts, value, method, bucket, keys=[], gap=none,
    arrival='arrival', not_after=none, nulls='ignore') %}
    {{- strandline._points_table(strandline._time_weight_task(strandline._arguments(
        strandline._caller('time_weight_table'), kwargs, varargs, strandline._points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._time_weight_arguments(value, method, gap, nulls))))) }}
{% endmacro %}

{#- The body of the model of points that a time_weight_table does not count, with the reason. It has
    the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro time_weight_late(source, ts, value, method, bucket, keys=[], gap=none,
    arrival='arrival', not_after=none, table=none, nulls='ignore') %}
    {{- strandline._late_points_table(strandline._time_weight_task(strandline._arguments(
        strandline._caller('time_weight_late'), kwargs, varargs, strandline._late_points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._time_weight_arguments(value, method, gap, nulls), table)))) }}
{% endmacro %}

{#- The arguments of a table of time weights beside those of all tables of points. -#}
{% macro _time_weight_arguments(value, method, gap, nulls) %}
    {{- return({
        'value': ['column', value, "name the column of the points' value", {'type': 'number'}],
        'method': strandline._method_argument(method),
        'gap': strandline._gap_argument(gap),
        'nulls': strandline._nulls_argument(nulls),
    }) -}}
{% endmacro %}

{#- What was read of them, with the task of the materialization. `nulls` is a key of its own only if
    they end a value, as in tables of 0.1.0. -#}
{% macro _time_weight_task(read) %}
    {{- return(strandline._points_task('time_weight', read, read.value, dict({
        'gap': strandline._gap_micros(read.gap),
        'method': strandline._methods().get(read.method)},
        **({'nulls': 'end'} if read.nulls == 'end' else {})))) -}}
{% endmacro %}

{#- The time weight of the rows of a group, as an aggregate expression. It uses window functions
    instead of collected arrays, so that there is one sort by bucket and time, and no group has to
    fit into memory. Of points of equal time the first to arrive counts; the others have an interval
    of length zero. All aggregates are numeric. -#}
{% macro _time_weight_summary(task) -%}
    {%- set method, gap = "'" ~ task.method ~ "'", task.gap -%}
    {%- set step = strandline._interval(method, gap, '__length', '__value_before', '__value') -%}
    named_struct(
        'method', {{ method }}, 'gap', {{ gap }},
        'weighted_sum', coalesce(sum({{ step.weight }}), 0D),
        'elapsed', coalesce(sum({{ step.counted }}), 0L),
        'num_gaps', count_if({{ step.is_gap }}),
        'first_time', timestamp_micros(min(__t)),
        'first_value', min_by(__value, __t) filter (where __is_first),
        'last_time', timestamp_micros(max(__t)),
        'last_value', max_by(__value, __t) filter (where __is_first))
{%- endmacro %}

{#- The points of a table of time weights with the columns that their summary reads: `__is_first`,
    `__length` and `__value_before`. -#}
{% macro _time_weight_rows(task, source, keys) %}
    {%- set points = strandline._as_doubles(source) -%}
    {%- set nulls_end = task.get('nulls') == 'end' -%}
    {%- if task.method == 'linear' or nulls_end -%}
        {{- return(strandline._rows_with_previous(points, keys, nulls_end)) -}}
    {%- endif -%}
    {{- return(strandline._locf_rows(points, keys)) -}}
{% endmacro %}

{#- Points whose values are doubles. -#}
{% macro _as_doubles(source) %}
    {{- return('(select * except (__value), cast(__value as double) as __value from ' ~ source
        ~ ')') -}}
{% endmacro %}

{#- Points with the time since the previous point and its value, where the counted points of both
    times are needed in one row: for lines, and where a value can be null. Of points of equal time
    the first to arrive is sorted first, and a second window function skips the others. Only a value
    that can be null is in a struct, which takes a seventh longer. -#}
{% macro _rows_with_previous(points, keys, has_nulls=false) -%}
    {%- set order = 'partition by ' ~ keys ~ ' order by __t, __arrival, __value' -%}
    {%- set value, field = ('struct(__value)', '.__value') if has_nulls else ('__value', '') -%}
(
    select *, (lag(if(__is_first, {{ value }}, null)) ignore nulls over ({{ order }})){{ field }}
        as __value_before
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

{#- Merges summaries in the order of time into one: an aggregate expression. See _macros.yml. -#}
{% macro rollup(summary, of='time_weight') -%}
    {%- set read = strandline._arguments(strandline._caller('rollup', summary), kwargs, varargs, {
        'summary': ['any', summary, "name the column of the summaries"],
        'of': strandline._summary_argument(of),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set parts = strandline._collected_parts(summary) -%}
    {%- if of == 'time_weight' -%}{{ strandline._merged_time_weights(parts) }}
    {%- elif of == 'state_agg' -%}{{ strandline._merged_state_aggs(parts) }}
    {%- elif of == 'counter_agg' -%}{{ strandline._merged_counters(parts) }}
    {%- else -%}{{ strandline._merged_heartbeat_aggs(parts) }}
    {%- endif -%}
{%- endmacro %}

{#- The argument `of`, the kind of a summary, for `_arguments`. -#}
{% macro _summary_argument(of) %}
    {%- set kinds = ['time_weight', 'counter_agg', 'state_agg', 'heartbeat_agg'] -%}
    {{- return(['choice', of, 'write which kind of summary it is: ' ~ strandline._choices(kinds),
        {'of': kinds}]) -}}
{% endmacro %}

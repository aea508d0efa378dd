{#- The counter summary of the points of a group: an aggregate expression. See _macros.yml. -#}
{% macro counter_agg(ts, value, arrival=none) -%}
    {%- set read = strandline._arguments(strandline._caller('counter_agg', value), kwargs,
        varargs, {
        'ts': ['any', ts, "name the column of the points' time"],
        'value': ['any', value, "name the column of the counter"],
        'arrival': ['any', arrival],
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- strandline._folded_counter(strandline._collected_points(ts, value, arrival)) }}
{%- endmacro %}

{#- The counter summary of an array of points in the order of time; null if it is empty. -#}
{% macro _folded_counter(points) -%}
    aggregate(
        {{ points }},
        cast(null as struct<delta: double, resets: bigint, changes: bigint, points: bigint,
            ft: bigint, fv: double, lt: bigint, lv: double>),
        (s, p) -> case
            when not p.value >= 0 or isnan(p.value) then {{ strandline._refused_count('p') }}
            when s is null then named_struct('delta', 0D, 'resets', 0L, 'changes', 0L, 'points', 1L,
                'ft', p.t, 'fv', p.value, 'lt', p.t, 'lv', p.value)
            when p.t = s.lt then s
            else named_struct(
                'delta', s.delta + {{ strandline._increase('s.lv', 'p.value') }},
                'resets', s.resets + if(p.value < s.lv, 1L, 0L),
                'changes', s.changes + if(p.value <> s.lv, 1L, 0L),
                'points', s.points + 1L,
                'ft', s.ft, 'fv', s.fv, 'lt', p.t, 'lv', p.value)
            end,
        s -> if(s is null, null, named_struct(
            'delta', s.delta, 'elapsed', s.lt - s.ft, 'num_resets', s.resets,
            'num_changes', s.changes, 'num_points', s.points,
            'first_time', timestamp_micros(s.ft), 'first_value', s.fv,
            'last_time', timestamp_micros(s.lt), 'last_value', s.lv)))
{%- endmacro %}

{#- By how much a counter has grown between two adjacent points: if it is smaller than before, it
    began again at zero. -#}
{% macro _increase(before, after) -%}
    if({{ after }} < {{ before }}, {{ after }}, {{ after }} - {{ before }})
{%- endmacro %}

{#- Fails the query with the point that no counter can have. -#}
{% macro _refused_count(point) -%}
    raise_error(concat('counter_agg: the counter is ', {{ point }}.value, ' at ',
        timestamp_micros({{ point }}.t), '; a counter is a number from 0 up'))
{%- endmacro %}

{#- The body of an incremental model of counter summaries by key and bucket. See _macros.yml. -#}
{% macro counter_agg_table(source, ts, value, bucket, keys=[], arrival='arrival',
    not_after=none) %}
    {{- strandline._points_table(strandline._counter_task(strandline._arguments(
        strandline._caller('counter_agg_table'), kwargs, varargs, strandline._points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            {'value': strandline._counter_argument(value)})))) }}
{% endmacro %}

{#- The body of the model of points that a counter_agg_table does not count, with the reason. It has
    the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro counter_agg_late(source, ts, value, bucket, keys=[], arrival='arrival', not_after=none,
    table=none) %}
    {{- strandline._late_points_table(strandline._counter_task(strandline._arguments(
        strandline._caller('counter_agg_late'), kwargs, varargs, strandline._late_points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            {'value': strandline._counter_argument(value)}, table)))) }}
{% endmacro %}

{#- The argument `value` of a counter, for `_arguments`. -#}
{% macro _counter_argument(value) %}
    {{- return(['column', value, "name the column of the counter", {'type': 'number'}]) -}}
{% endmacro %}

{#- What was read of the arguments, with the task of the materialization. -#}
{% macro _counter_task(read) %}
    {{- return(strandline._points_task('counter_agg', read, read.value, {})) -}}
{% endmacro %}

{#- The counter summary of the rows of a group of `_rows_with_previous`, as an aggregate
    expression. -#}
{% macro _counter_summary() -%}
    named_struct(
        'delta', coalesce(sum({{ strandline._increase('__value_before', '__value') }})
            filter (where __is_first), 0D),
        'elapsed', max(__t) - min(__t),
        'num_resets', count_if(__is_first and __value < __value_before),
        'num_changes', count_if(__is_first and __value <> __value_before),
        'num_points', count_if(__is_first),
        'first_time', timestamp_micros(min(__t)),
        'first_value', min_by(__value, __t) filter (where __is_first),
        'last_time', timestamp_micros(max(__t)),
        'last_value', max_by(__value, __t) filter (where __is_first))
{%- endmacro %}

{#- The counter summary of an array of parts in the order of time. The increase between two adjacent
    parts is counted like one inside a part. Parts that overlap or touch fail the query. -#}
{% macro _merged_counters(parts) -%}
    aggregate(
        {{ parts }},
        cast(null as struct<delta: double, elapsed: bigint, num_resets: bigint,
            num_changes: bigint, num_points: bigint, first_time: timestamp, first_value: double,
            last_time: timestamp, last_value: double>),
        (s, p) -> case
            when s is null then p.part
            when s.last_time >= p.part.first_time then raise_error(concat('counter_agg: parts ',
                if(s.last_time = p.part.first_time, 'touch', 'overlap'), ': one lasts to ',
                s.last_time, ' and the next begins at ', p.part.first_time,
                '; merge only summaries that have no instant in common'))
            else named_struct(
                'delta', s.delta + p.part.delta
                    + {{ strandline._increase('s.last_value', 'p.part.first_value') }},
                'elapsed', unix_micros(p.part.last_time) - unix_micros(s.first_time),
                'num_resets', s.num_resets + p.part.num_resets
                    + if(p.part.first_value < s.last_value, 1L, 0L),
                'num_changes', s.num_changes + p.part.num_changes
                    + if(p.part.first_value <> s.last_value, 1L, 0L),
                'num_points', s.num_points + p.part.num_points,
                'first_time', s.first_time, 'first_value', s.first_value,
                'last_time', p.part.last_time, 'last_value', p.part.last_value)
            end)
{%- endmacro %}

{#- By how much the counter has grown from the first point to the last. See _macros.yml. -#}
{% macro delta(summary) -%}
    ({{ summary }}).delta
{%- endmacro %}

{#- By how much the counter grows in a unit of time; null for one point. See _macros.yml. -#}
{% macro rate(summary, unit='second') -%}
    if(({{ summary }}).elapsed > 0, ({{ summary }}).delta / (({{ summary }}).elapsed / 1e6D)
        * {{ strandline._unit_seconds(unit, 'rate of ' ~ summary) }}, null)
{%- endmacro %}

{#- How often the counter began again at zero. See _macros.yml. -#}
{% macro num_resets(summary) -%}
    ({{ summary }}).num_resets
{%- endmacro %}

{#- How often the counter had another value than before. See _macros.yml. -#}
{% macro num_changes(summary) -%}
    ({{ summary }}).num_changes
{%- endmacro %}

{#- The increase in a whole bucket, including its neighbours' part. See _macros.yml. -#}
{% macro interpolated_delta(summary, start, length=none, prev=none, next=none, end=none) -%}
    transform(array({{ strandline._interpolated_counter(summary, start, length, prev, next, end,
        'interpolated_delta') }}), i -> i.delta)[0]
{%- endmacro %}

{#- The increase in a unit of time in a whole bucket. See _macros.yml. -#}
{% macro interpolated_rate(summary, start, length=none, prev=none, next=none, unit='second',
    end=none) -%}
    transform(array({{ strandline._interpolated_counter(summary, start, length, prev, next, end,
        'interpolated_rate') }}), i -> {{ strandline.rate('i', unit) }})[0]
{%- endmacro %}

{#- The `delta` and the known time of a bucket from its start to its end, as a struct: between two
    points a counter is taken to grow evenly. -#}
{% macro _interpolated_counter(summary, start, length, prev, next, end, who) -%}
    {%- set before = strandline._counter_edge('b.pt', 'b.pv', 'b.ft', 'b.fv', 'b.from', 'b.ft') -%}
    {%- set after = strandline._counter_edge('b.lt', 'b.lv', 'b.nt', 'b.nv', 'b.lt', 'b.to') -%}
    {%- set across = strandline._counter_edge('b.pt', 'b.pv', 'b.nt', 'b.nv', 'b.from', 'b.to') -%}
    transform(transform(
        {{ strandline._with_neighbours(summary, start, length, prev, next, end, who) }},
        b -> named_struct(
            'fault', case {{ strandline._misplaced() }} end,
            'from', b.from, 'to', b.to, 'delta', b.own.delta, 'elapsed', b.own.elapsed,
            {{ strandline._edge_points() }})),
        b -> case
            when b.from is null or b.to is null
                or coalesce(b.ft, b.pt) is null and b.nt is null then null
            when b.fault is not null then raise_error(concat({{ strandline._literal(who ~ ': ') }},
                b.fault))
            when b.ft is null then named_struct('delta', {{ across.delta }},
                'elapsed', {{ across.length }})
            else named_struct(
                'delta', b.delta + coalesce({{ before.delta }}, 0D)
                    + coalesce({{ after.delta }}, 0D),
                'elapsed', b.elapsed + {{ before.length }} + {{ after.length }})
            end)[0]
{%- endmacro %}

{#- The part of the increase between two points that lies between two times, and its microseconds:
    nothing if one of the points is missing. -#}
{% macro _counter_edge(t0, v0, t1, v1, lower, upper) %}
    {{- return({
        'delta': strandline._increase(v0, v1) ~ ' * ((' ~ upper ~ ' - ' ~ lower ~ ') / (' ~ t1
            ~ ' - ' ~ t0 ~ '))',
        'length': 'coalesce(if(' ~ t0 ~ ' < ' ~ t1 ~ ', ' ~ upper ~ ' - ' ~ lower ~ ', 0L), 0L)',
    }) -}}
{% endmacro %}

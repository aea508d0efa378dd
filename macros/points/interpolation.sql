{#- The average over a whole bucket, including its neighbours' part. See _macros.yml. -#}
{% macro interpolated_average(summary, start, length=none, prev=none, next=none, end=none) -%}
    transform(array({{ strandline._interpolated(summary, start, length, prev, next, end,
        'interpolated_average') }}),
        i -> {{ strandline.average('i') }})[0]
{%- endmacro %}

{#- The integral over a whole bucket, including its neighbours' part. See _macros.yml. -#}
{% macro interpolated_integral(summary, start, length=none, prev=none, next=none, unit='second',
    end=none) -%}
    {{- strandline.integral(strandline._interpolated(summary, start, length, prev, next, end,
        'interpolated_integral'), unit) }}
{%- endmacro %}

{#- The counted time of a whole bucket, including its neighbours' part. See _macros.yml. -#}
{% macro interpolated_elapsed_time(summary, start, length=none, prev=none, next=none, unit='second',
    end=none) -%}
    {{- strandline.elapsed_time(strandline._interpolated(summary, start, length, prev, next, end,
        'interpolated_elapsed_time'), unit) }}
{%- endmacro %}

{#- The `weighted_sum` and `elapsed` of a bucket from its start to its end, as a struct: from its
    own summary (null for a bucket without points), and at its edges from the summaries before and
    after it. -#}
{% macro _interpolated(summary, start, length, prev, next, end, who) -%}
    transform(transform(
        {{ strandline._with_neighbours(summary, start, length, prev, next, end, who) }},
        b -> named_struct(
            'method', coalesce(b.own.method, b.prev.method, b.next.method),
            'gap', coalesce(b.own.gap, b.prev.gap, b.next.gap),
            'fault', case {{ strandline._unlike_neighbours() }} {{ strandline._misplaced() }} end,
            'from', b.from, 'to', b.to, {{ strandline._edge_points() }},
            'weighted_sum', b.own.weighted_sum, 'elapsed', b.own.elapsed)),
        b -> case
            when b.from is null or b.to is null then null
            when b.fault is not null then raise_error(concat({{ strandline._literal(who ~ ': ') }},
                b.fault))
            when b.method = 'locf' then {{ strandline._locf_interpolated() }}
            when b.method = 'linear' then {{ strandline._linear_interpolated() }}
            end)[0]
{%- endmacro %}

{#- A bucket in an array, as a struct: its own summary, those before and after it, and the
    microseconds of its start and end. A lambda names it `b`. -#}
{% macro _with_neighbours(summary, start, length, prev, next, end, who) -%}
    {%- set absent = 'if(false, ' ~ summary ~ ', null)' -%}
    array(named_struct(
            'own', {{ summary }}, 'prev', {{ prev or absent }}, 'next', {{ next or absent }},
            'from', unix_micros(cast({{ start }} as timestamp)),
            'to', {{ strandline._bucket_end(start, length, end, who) }}))
{%- endmacro %}

{#- The points at the edges of `b`, as fields: the last before it (p), its first (f) and last (l),
    and the next (n); the time of each in microseconds (t) and its value (v). -#}
{% macro _edge_points() -%}
    'pt', unix_micros(b.prev.last_time), 'pv', b.prev.last_value,
            'ft', unix_micros(b.own.first_time), 'fv', b.own.first_value,
            'lt', unix_micros(b.own.last_time), 'lv', b.own.last_value,
            'nt', unix_micros(b.next.first_time), 'nv', b.next.first_value
{%- endmacro %}

{#- Cases of a bucket whose summary and those of its neighbours have different methods or gaps, each
    with a text. -#}
{% macro _unlike_neighbours() -%}
    {%- set names = strandline._neighbours() -%}
    {%- for one, other in [('own', 'prev'), ('own', 'next'), ('prev', 'next')] %}
                when b.{{ one }}.method <> b.{{ other }}.method then
                    concat('{{ names[one] }} has the method ', b.{{ one }}.method,
                        ' and {{ names[other] }} ', b.{{ other }}.method)
                when b.{{ one }} is not null and b.{{ other }} is not null
                    and not b.{{ one }}.gap <=> b.{{ other }}.gap then
                    concat('{{ names[one] }} has a gap of ',
                        {{ strandline._gap_text('b.' ~ one ~ '.gap') }},
                        ' and {{ names[other] }} of ',
                        {{ strandline._gap_text('b.' ~ other ~ '.gap') }})
    {%- endfor %}
{%- endmacro %}

{#- Cases of a bucket that does not begin before its end, or whose summary and those of its
    neighbours are not in its range, before and after it, each with a text. -#}
{% macro _misplaced() -%}
    when b.from >= b.to then
                    concat('the bucket is [', timestamp_micros(b.from), ', ',
                        timestamp_micros(b.to), '), whose start is not before its end')
    {%- for side, is_outside in [
        ('own', 'unix_micros(b.own.first_time) < b.from or '
            ~ 'unix_micros(b.own.last_time) >= b.to'),
        ('prev', 'unix_micros(b.prev.last_time) >= b.from'),
        ('next', 'unix_micros(b.next.first_time) < b.to')] %}
                when {{ is_outside }} then
                    concat('the summary of {{ strandline._neighbours()[side] }} lasts from ',
                        b.{{ side }}.first_time, ' to ', b.{{ side }}.last_time,
                        ', and the bucket is [', timestamp_micros(b.from), ', ',
                        timestamp_micros(b.to), '); are its start and length right?')
    {%- endfor %}
{%- endmacro %}

{#- How a message calls the summaries of `_with_neighbours`. -#}
{% macro _neighbours() %}
    {{- return({'own': 'the bucket', 'prev': '`prev`', 'next': '`next`'}) -}}
{% endmacro %}

{#- Linear: the line from the last point before the bucket to its first point, and from its last
    point to the first point after it, each cut at the bucket's edge. For a bucket without points,
    the line from the point before it to the point after it. Gaps have no line. -#}
{% macro _linear_interpolated() -%}
    {{- strandline._with_edges(
        strandline._linear_edge('b.pt', 'b.pv', 'coalesce(b.ft, b.nt)',
            'if(b.ft is null, b.nv, b.fv)', 'b.from', 'coalesce(b.ft, b.to)', 'b.gap'),
        strandline._linear_edge('b.lt', 'b.lv', 'b.nt', 'b.nv', 'b.lt', 'b.to', 'b.gap')) }}
{%- endmacro %}

{#- The part of the line between two points that is between two bounds: its length in microseconds
    (0 if a value is missing or the line spans a gap), and its mean value, which is the value in the
    middle. The weight of each point is computed before it is multiplied, so that large values do
    not overflow and infinite values stay infinite. -#}
{% macro _linear_edge(t0, v0, t1, v1, lower, upper, gap) %}
    {%- set is_absent = v0 ~ ' is null or ' ~ v1 ~ ' is null or coalesce(' ~ t1 ~ ' - ' ~ t0 ~ ' > '
        ~ gap ~ ', false)' -%}
    {%- set both = '(2D * (' ~ t1 ~ ' - ' ~ t0 ~ '))' -%}
    {%- set share0 = '(((' ~ t1 ~ ' - ' ~ lower ~ ') + (' ~ t1 ~ ' - ' ~ upper ~ ')) / ' ~ both
        ~ ')' -%}
    {%- set share1 = '(((' ~ lower ~ ' - ' ~ t0 ~ ') + (' ~ upper ~ ' - ' ~ t0 ~ ')) / ' ~ both
        ~ ')' -%}
    {{- return({
        'length': 'if(' ~ is_absent ~ ', 0L, ' ~ upper ~ ' - ' ~ lower ~ ')',
        'value': 'if(' ~ v0 ~ ' = ' ~ v1 ~ ', ' ~ v0 ~ ', ' ~ v0 ~ ' * ' ~ share0 ~ ' + ' ~ v1
            ~ ' * ' ~ share1 ~ ')',
    }) -}}
{% endmacro %}

{#- LOCF: the last value before the bucket is valid until its first point, and its own last value
    until its end, each for at most the gap from its own time. -#}
{% macro _locf_interpolated() -%}
    {{- strandline._with_edges(
        {'value': 'b.pv', 'length': 'if(b.pv is null, 0L, greatest(least(coalesce(b.ft, b.to), '
            ~ 'coalesce(b.pt + b.gap, b.to)) - b.from, 0L))'},
        {'value': 'b.lv', 'length': 'if(b.lv is null, 0L, '
            ~ 'least(b.to, coalesce(b.lt + b.gap, b.to)) - b.lt)'}) }}
{%- endmacro %}

{#- The weighted sum and elapsed time of a bucket with those of its two edges. An edge of length
    zero adds nothing, even if its value is NaN. -#}
{% macro _with_edges(before, after) -%}
    named_struct(
                'weighted_sum', coalesce(b.weighted_sum, 0D)
                    + if({{ before.length }} = 0, 0D,
                        {{ before.value }} * ({{ before.length }} / 1e6D))
                    + if({{ after.length }} = 0, 0D,
                        {{ after.value }} * ({{ after.length }} / 1e6D)),
                'elapsed', coalesce(b.elapsed, 0L) + {{ before.length }} + {{ after.length }})
{%- endmacro %}

{#- The end of a bucket in microseconds, from its length or from an expression for its end. -#}
{% macro _bucket_end(start, length, end, who) -%}
    {%- set micros = strandline._period(length).fixed if length is not none else none -%}
    {%- set such = "`length` as a length of time above 0 such as '1 hour' (weeks to microseconds), "
        ~ "or `end` as an expression of the bucket's end" -%}
    {%- if length is none and end is none -%}
        {%- do strandline._refuse(who, ["`length` and `end` are missing; write one of the two: "
            ~ such]) -%}
    {%- elif length is not none and end is not none -%}
        {%- do strandline._refuse(who, ["`length` is '" ~ length ~ "' and `end` is '" ~ end
            ~ "'; write one of the two: " ~ such]) -%}
    {%- elif end is none and not micros -%}
        {%- do strandline._refuse(who, ["`length` is '" ~ length ~ "'; write " ~ such]) -%}
    {%- endif -%}
    unix_micros(cast({{ end if end is not none else start }} as timestamp))
        {{- ' + ' ~ micros ~ 'L' if micros }}
{%- endmacro %}

{#- The sequence of states of a whole bucket, as an array of structs (state, start, end). See
    _macros.yml. -#}
{% macro interpolated_state_timeline(summary, start, length=none, prev=none, end=none) -%}
    {{ strandline._interpolated_timeline(
        summary, start, length, prev, end, 'interpolated_state_timeline of ' ~ summary) }}
{%- endmacro %}

{#- The ranges in which a signal was in a state in a whole bucket, as an array of structs (start,
    end). See _macros.yml. -#}
{% macro interpolated_state_periods(summary, state, start, length=none, prev=none, end=none) -%}
    {%- set who = 'interpolated_state_periods of ' ~ summary -%}
    {%- set literal = strandline._state_literal(state, who) -%}
    transform(
        filter({{ strandline._interpolated_timeline(summary, start, length, prev, end, who) }},
            x -> x.state = {{ literal }}),
        x -> named_struct('start', x.start, 'end', x.end))
{%- endmacro %}

{#- The timeline of a whole bucket. A compact summary has none and fails the query. -#}
{% macro _interpolated_timeline(summary, start, length, prev, end, who) -%}
    transform(array({{ strandline._interpolated_states(summary, start, length, prev, end, who) }}),
        i -> {{ strandline._timeline('i', who) }})[0]
{%- endmacro %}

{#- The states of a whole bucket as a struct that the accessors of states read: the last state of
    the summary before it, its own states, and its last state until the end of the bucket. The
    states at the edges last for at most the gap, counted from their own time. -#}
{% macro _interpolated_states(summary, start, length, prev, end, who) -%}
    {%- set before = {
        'state': 'b.prev.last_state',
        'from': 'if(b.prev is null, null, b.from)',
        'to': 'least(coalesce(unix_micros(b.own.first_time), b.to), '
            ~ 'coalesce(unix_micros(b.prev.last_time) + b.prev.gap, b.to))'} -%}
    {%- set after = {
        'state': 'b.own.last_state',
        'from': 'unix_micros(b.own.last_time)',
        'to': 'least(b.to, coalesce(unix_micros(b.own.last_time) + b.own.gap, b.to))'} -%}
    {%- set timeline = "transform(e.own.timeline, t -> named_struct('state', t.state, "
        ~ "'from', unix_micros(t.start), 'to', unix_micros(t.end)))" -%}
    {%- set durations = "transform(e.own.durations, d -> named_struct('state', d.state, "
        ~ "'from', 0L, 'to', d.duration))" -%}
    transform(transform(
        array(named_struct(
            'own', {{ summary }},
            'prev', {{ prev or 'if(false, ' ~ summary ~ ', null)' }},
            'from', unix_micros(cast({{ start }} as timestamp)),
            'to', {{ strandline._bucket_end(start, length, end, who) }})),
        b -> case
            when b.from is null or b.to is null or (b.own is null and b.prev is null) then null
            when {{ strandline._is_outside_bucket() }} then {{ strandline._refused_bucket(who) }}
            else named_struct(
                'own', b.own, 'has_timeline', coalesce(b.own, b.prev).timeline is not null,
                'before', {{ strandline._edge_interval(before) }},
                'after', {{ strandline._edge_interval(after) }})
            end),
        e -> if(e is null, null, named_struct(
            'last_time', e.own.last_time, 'last_state', e.own.last_state,
            'durations', transform({{ strandline._present(['e.before', durations, 'e.after']) }},
                s -> {{ strandline._durations_of('s') }})[0],
            'timeline', if(e.has_timeline,
                transform({{ strandline._present(['e.before', timeline, 'e.after']) }},
                    s -> filter({{ strandline._joined_intervals('s') }}, x -> x.start < x.end))[0],
                null))))[0]
{%- endmacro %}

{#- An interval at the edge of a bucket as an array; empty if the interval has no length. -#}
{% macro _edge_interval(edge) -%}
    filter(array(named_struct(
                    'state', {{ edge.state }}, 'from', {{ edge.from }}, 'to', {{ edge.to }})),
                    x -> x.from < x.to)
{%- endmacro %}

{#- The concatenation of arrays, ignoring nulls, wrapped in an array so that a lambda can name
    it. -#}
{% macro _present(arrays) -%}
    array(flatten(filter(array({{ arrays | join(', ') }}), p -> p is not null)))
{%- endmacro %}

{#- Every bucket of a range for every key, including buckets without points, with values from its
    neighbours: a sub-query. See _macros.yml. -#}
{% macro interpolated_table(source, length, within, keys=[], bucket='agg_timestamp',
    summary='summary', of='time_weight') -%}
    {%- set of_source = source | string if source is defined else none -%}
    {%- set read = strandline._arguments(strandline._caller('interpolated_table', of_source),
        kwargs, varargs, {
        'source': ['any', source, "pass a source of summaries: ref('signal_hours')"],
        'length': ['length', length,
            "write the length of the relation's buckets, such as '1 hour'"],
        'within': ['any', within, strandline._within_form()],
        'keys': ['columns', keys,
            "write a list of columns, such as ['sensor'], or [] for one signal"],
        'bucket': ['any', bucket],
        'summary': ['any', summary],
        'of': strandline._summary_argument(of),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set bounds, micros = strandline._within_bounds(within, read.who), read.length -%}
    {%- set from, to = bounds[0] ~ '000L', bounds[1] ~ '000L' -%}
    {%- set start, names = strandline._quoted(bucket), strandline._all_quoted(keys) -%}
    {%- set order = ('partition by ' ~ names | join(', ') ~ ' ' if names else '')
        ~ 'order by __bucket' -%}
    {#- A dead bucket has no heartbeat to carry forward; use the last bucket that has one. -#}
    {%- set before = 'if(__summary.last_time is null, null, __summary)' if of == 'heartbeat_agg'
        else '__summary' -%}
    {%- set key_list = (names | join(', ') ~ ', ') if names else '' -%}
(
    with __stored as (
        select {{ key_list }}unix_micros({{ start }}) as __bucket,
        {{ summary }} as __summary from (select * from {{ source }}) as __source
    ),

    __first_buckets as (
        select {{ key_list }}{{ from }}
            + pmod(min(__bucket) - {{ from }}, {{ micros }}L) as __bucket
        from __stored
        {%- if names %}
        group by {{ names | join(', ') }}
        {%- endif %}
    ),

    __buckets as (
        select {{ key_list }}explode(sequence(__bucket, {{ to }} - 1L, {{ micros }}L))
            as __bucket
        from __first_buckets
        where __bucket < {{ to }}
    ),

    __rows as (
        select
            {%- for key in names %}
            coalesce(__stored.{{ key }}, __buckets.{{ key }}) as {{ key }},
            {%- endfor %}
            coalesce(__stored.__bucket, __buckets.__bucket) as __bucket,
            __stored.__summary
        from __stored
        full outer join __buckets on __stored.__bucket = __buckets.__bucket
            and {{ strandline._same_columns(keys, '__stored', '__buckets') }}
    ),

    __neighbours as (
        select
            {{ key_list }}timestamp_micros(__bucket) as {{ start }}, __bucket, __summary,
            last_value({{ before }}, true)
                over ({{ order }} rows between unbounded preceding and 1 preceding) as __prev
            {%- if of in ['time_weight', 'counter_agg'] %},
            first_value(__summary, true) over ({{ order }}
                rows between 1 following and unbounded following) as __next
            {%- endif %}
        from __rows
    )

    select {{ key_list }}{{ start }}, __summary as summary,
        {{ strandline._interpolated_bucket(of, start, length) }} as interpolated
    from __neighbours
    where __bucket >= {{ from }} and __bucket < {{ to }}
)
{%- endmacro %}

{#- The state of a bucket from its start to its end, including its neighbours' part, as the
    accessors of its kind read it. -#}
{% macro _interpolated_bucket(of, bucket, length) -%}
    {%- set who = 'interpolated_table' -%}
    {%- if of == 'time_weight' -%}
        {{ strandline._interpolated('__summary', bucket, length, '__prev', '__next', none, who) }}
    {%- elif of == 'counter_agg' -%}
        {{ strandline._interpolated_counter('__summary', bucket, length, '__prev', '__next', none,
            who) }}
    {%- elif of == 'state_agg' -%}
        {{ strandline._interpolated_states('__summary', bucket, length, '__prev', none, who) }}
    {%- elif of == 'heartbeat_agg' -%}
        {%- set dead = strandline._dead_bucket(bucket, length, '__prev.interval', who) -%}
        {%- set own = 'coalesce(__summary, if(__prev is null, null, ' ~ dead ~ '))' -%}
        {{ strandline.interpolate(own, '__prev') }}
    {%- endif -%}
{%- endmacro %}

{#- The summary of a bucket without heartbeats. -#}
{% macro _dead_bucket(bucket, length, interval, who) -%}
    {%- set no_ranges = 'cast(array() as array<struct<from: bigint, to: bigint>>)' -%}
    {{ strandline._heartbeat_summary(
        'unix_micros(' ~ bucket ~ ')', strandline._bucket_end(bucket, length, none, who), interval,
        'cast(null as bigint)', 'cast(null as bigint)', no_ranges) }}
{%- endmacro %}

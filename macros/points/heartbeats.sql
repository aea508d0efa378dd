{#- The live ranges of a group from its heartbeats: an aggregate expression. See _macros.yml. -#}
{% macro heartbeat_agg(ts, start, length, interval) -%}
    {%- set read = strandline._arguments(strandline._caller('heartbeat_agg', ts), kwargs, varargs, {
        'ts': ['any', ts, "name the column of the heartbeats' time"],
        'start': ['any', start, "write where the range begins, such as 'hour'"],
        'length': ['length', length,
            "write how long the range that begins at `start` is, such as '1 hour'"],
        'interval': strandline._interval_argument(interval),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- strandline._folded_heartbeats(ts, start, read.length, read.interval) }}
{%- endmacro %}

{#- The argument `interval`, for `_arguments`. -#}
{% macro _interval_argument(interval) %}
    {{- return(['length', interval,
        "write how long a heartbeat keeps alive, such as '10 minutes'"]) -}}
{% endmacro %}

{#- The summary of the heartbeats of a group in the range of `length` microseconds that begins at
    `start`. Each heartbeat keeps the signal alive for `interval` microseconds. -#}
{% macro _folded_heartbeats(ts, start, length, interval) -%}
    transform(array(named_struct(
            'beats', sort_array(collect_set(unix_micros(cast({{ ts }} as timestamp)))),
            'from', min(unix_micros(cast({{ start }} as timestamp))),
            'to', min(unix_micros(cast({{ start }} as timestamp)) + {{ length }}L))),
        b -> case
            when b.from is null then null
            when get(b.beats, 0) < b.from or array_max(b.beats) >= b.to
                then {{ strandline._refused_beat() }}
            else {{ strandline._heartbeat_summary('b.from', 'b.to', interval ~ 'L',
                'get(b.beats, 0)', 'array_max(b.beats)',
                strandline._joined_ranges("transform(b.beats, t -> named_struct('from', t, 'to', t "
                    ~ "+ " ~ interval ~ "L))")) }}
            end)[0]
{%- endmacro %}

{#- Fails the query with the first heartbeat that is outside its range. -#}
{% macro _refused_beat() -%}
    raise_error(concat('heartbeat_agg: a heartbeat at ',
        timestamp_micros(if(b.beats[0] < b.from, b.beats[0], array_max(b.beats))),
        ' is outside of [', timestamp_micros(b.from), ', ', timestamp_micros(b.to),
        '); group by the bucket that begins at `start`'))
{%- endmacro %}

{#- The summary of heartbeats from the joined ranges that they keep alive. The last range may extend
    beyond the end: a rollup with the following summary needs it. -#}
{% macro _heartbeat_summary(start, end, interval, first, last, ranges) -%}
    transform(array({{ ranges }}), r -> named_struct(
                'start', timestamp_micros({{ start }}), 'end', timestamp_micros({{ end }}),
                'interval', {{ interval }},
                'first_time', timestamp_micros({{ first }}),
                'last_time', timestamp_micros({{ last }}),
                'ranges', transform(r, x -> named_struct('start', timestamp_micros(x.from),
                    'end', timestamp_micros(x.to))),
                'num_gaps', if(size(r) = 0, 1L,
                    size(r) - 1L + if(r[0].from > {{ start }}, 1L, 0L)
                        + if(r[size(r) - 1].to < {{ end }}, 1L, 0L))))[0]
{%- endmacro %}

{#- Ranges of microseconds in the order of their start, with overlapping and adjacent ranges
    joined. -#}
{% macro _joined_ranges(ranges) -%}
    aggregate({{ ranges }},
            named_struct('done', cast(array() as array<struct<from: bigint, to: bigint>>),
                'from', cast(null as bigint), 'to', cast(null as bigint)),
            (r, x) -> case
                when r.from is null then named_struct('done', r.done, 'from', x.from, 'to', x.to)
                when x.from <= r.to
                    then named_struct('done', r.done, 'from', r.from, 'to', greatest(r.to, x.to))
                else named_struct(
                    'done', concat(r.done, array(named_struct('from', r.from, 'to', r.to))),
                    'from', x.from, 'to', x.to)
                end,
            r -> if(r.from is null, r.done,
                concat(r.done, array(named_struct('from', r.from, 'to', r.to)))))
{%- endmacro %}

{#- The body of an incremental model of summaries of heartbeats by key and bucket.
    See _macros.yml. -#}
{% macro heartbeat_agg_table(source, ts, interval, bucket, keys=[], arrival='arrival',
    not_after=none) %}
    {{- strandline._points_table(strandline._heartbeat_agg_task(strandline._arguments(
        strandline._caller('heartbeat_agg_table'), kwargs, varargs, strandline._points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            {'interval': strandline._interval_argument(interval)})))) }}
{% endmacro %}

{#- The body of the model of points that a heartbeat_agg_table does not count, with the reason. It
    has the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro heartbeat_agg_late(source, ts, interval, bucket, keys=[], arrival='arrival',
    not_after=none, table=none) %}
    {{- strandline._late_points_table(strandline._heartbeat_agg_task(strandline._arguments(
        strandline._caller('heartbeat_agg_late'), kwargs, varargs,
        strandline._late_points_arguments(source, ts, bucket, keys, arrival, not_after,
            {'interval': strandline._interval_argument(interval)}, table)))) }}
{% endmacro %}

{#- What was read of the arguments, with the task of the materialization. -#}
{% macro _heartbeat_agg_task(read) %}
    {{- return(strandline._points_task('heartbeat_agg', read, none,
        {'interval': read.interval})) -}}
{% endmacro %}

{#- The heartbeat summary of an array of parts, from the least start to the greatest end; parts may
    overlap. Time that no part covers is dead, except for the interval after the last heartbeat
    before it. -#}
{% macro _merged_heartbeat_aggs(parts) -%}
    get(transform(filter(array({{ parts }}), p -> size(p) > 0), p -> if(
        exists(p, x -> x.part.interval <> p[0].part.interval),
        raise_error(concat('heartbeat_agg: parts have the intervals of ',
            array_join(transform(array_distinct(transform(p, x -> x.part.interval)),
                i -> cast(i / 1e6D as string)), ' and '),
            ' seconds; merge only summaries with the same interval')),
        {{ strandline._heartbeat_summary(
            'unix_micros(array_min(transform(p, x -> x.part.start)))',
            'unix_micros(array_max(transform(p, x -> x.part.end)))',
            'p[0].part.interval',
            'unix_micros(array_min(transform(p, x -> x.from)))',
            'unix_micros(array_max(transform(p, x -> x.to)))',
            strandline._joined_ranges(strandline._micro_ranges(
                'flatten(transform(p, x -> x.part.ranges))'))) }})), 0)
{%- endmacro %}

{#- Ranges of instants as ranges of microseconds, in the order of their start. -#}
{% macro _micro_ranges(ranges) -%}
    array_sort(transform({{ ranges }},
        x -> named_struct('from', unix_micros(x.start), 'to', unix_micros(x.end))))
{%- endmacro %}

{#- The ranges in which a signal was alive, as an array of structs (start, end). See
    _macros.yml. -#}
{% macro live_ranges(summary) -%}
    {{ strandline._instant_ranges(strandline._live(summary)) }}
{%- endmacro %}

{#- The ranges in which a signal was dead, as an array of structs (start, end). See _macros.yml. -#}
{% macro dead_ranges(summary) -%}
    {{ strandline._instant_ranges(strandline._dead(summary)) }}
{%- endmacro %}

{#- The time that a signal was alive between start and end, in seconds. See _macros.yml. -#}
{% macro uptime(summary) -%}
    {{ strandline._total_length(strandline._live(summary)) }}
{%- endmacro %}

{#- The time that a signal was dead between start and end, in seconds. See _macros.yml. -#}
{% macro downtime(summary) -%}
    {{ strandline._total_length(strandline._dead(summary)) }}
{%- endmacro %}

{#- Whether a signal was alive at an instant; null outside its range. See _macros.yml. -#}
{% macro live_at(summary, ts) -%}
    transform(array(named_struct('own', {{ summary }}, 'at', cast({{ ts }} as timestamp))),
        h -> if(h.at >= h.own.start and h.at < h.own.end,
        exists(h.own.ranges, x -> x.start <= h.at and h.at < x.end), null))[0]
{%- endmacro %}

{#- The uptime including the time that the last heartbeat of the previous summary keeps alive, in
    seconds. See _macros.yml. -#}
{% macro interpolated_uptime(summary, prev) -%}
    {{ strandline._total_length(strandline._live(summary, prev)) }}
{%- endmacro %}

{#- The downtime excluding the time that the last heartbeat of the previous summary keeps alive, in
    seconds. See _macros.yml. -#}
{% macro interpolated_downtime(summary, prev) -%}
    {{ strandline._total_length(strandline._dead(summary, prev)) }}
{%- endmacro %}

{#- The live ranges of heartbeats between their start and end, in microseconds; with `prev`, also
    the time after its end that its last heartbeat keeps alive. -#}
{% macro _live(summary, prev=none) -%}
    {%- set ranges = 'h.own.ranges' -%}
    {%- if prev -%}
        {%- set ranges = "if(" ~ strandline._is_incompatible_before() ~ ", "
            ~ strandline._refused_before()
            ~ ", concat(h.own.ranges, if(h.prev.last_time is null, array(), array(named_struct("
            ~ "'start', h.prev.last_time, 'end', "
            ~ "timestamp_micros(unix_micros(h.prev.last_time) + h.prev.interval))))))" -%}
    {%- endif -%}
    transform(array(named_struct('own', {{ summary }}{% if prev %}, 'prev', {{ prev }}{% endif %})),
        h -> filter(
            transform({{ strandline._joined_ranges(strandline._micro_ranges(ranges)) }},
                x -> named_struct(
                    'from', greatest(x.from, unix_micros(h.own.start)),
                    'to', least(x.to, unix_micros(h.own.end)))),
            x -> x.from < x.to))[0]
{%- endmacro %}

{#- The parts of the range of heartbeats that are not alive, in microseconds. -#}
{% macro _dead(summary, prev=none) -%}
    transform(array(named_struct('live', {{ strandline._live(summary, prev) }},
        'own', {{ summary }})), r -> filter(zip_with(
            concat(array(unix_micros(r.own.start)), transform(r.live, x -> x.to)),
            concat(transform(r.live, x -> x.from), array(unix_micros(r.own.end))),
            (a, z) -> named_struct('from', a, 'to', z)), x -> x.from < x.to))[0]
{%- endmacro %}

{#- The total length of ranges of microseconds, in seconds. -#}
{% macro _total_length(ranges) -%}
    aggregate({{ ranges }}, 0L, (sum, x) -> sum + x.to - x.from) / 1e6D
{%- endmacro %}

{#- Ranges of microseconds as an array of structs (start, end) of instants. -#}
{% macro _instant_ranges(ranges) -%}
    transform({{ ranges }}, x -> named_struct('start', timestamp_micros(x.from),
        'end', timestamp_micros(x.to)))
{%- endmacro %}

{#- Whether the heartbeat summary `h.prev` cannot precede `h.own`. -#}
{% macro _is_incompatible_before() -%}
    h.prev.interval <> h.own.interval or h.prev.end > h.own.start
{%- endmacro %}

{#- Fails the query with the reason why the heartbeat summary `h.prev` cannot precede `h.own`. -#}
{% macro _refused_before() -%}
    raise_error(concat('heartbeat_agg: `prev` lasts from ', h.prev.start, ' to ', h.prev.end,
        ' with an interval of ', h.prev.interval / 1e6D, ' seconds, and the summary from ',
        h.own.start, ' to ', h.own.end, ' with ', h.own.interval / 1e6D,
        {{ strandline._literal(' seconds; `prev` must end at or before the start of the summary '
            ~ 'and have the same interval') }}))
{%- endmacro %}

{#- A heartbeat summary including the time that the last heartbeat before it keeps alive: a summary
    again. See _macros.yml. -#}
{% macro interpolate(summary, prev) -%}
    transform(array(named_struct('own', {{ summary }}, 'prev', {{ prev }})), h -> case
        when h.own is null then null
        when {{ strandline._is_incompatible_before() }} then {{ strandline._refused_before() }}
        else {{ strandline._heartbeat_summary(
            'unix_micros(h.own.start)', 'unix_micros(h.own.end)', 'h.own.interval',
            'unix_micros(h.own.first_time)',
            'unix_micros(coalesce(h.own.last_time, h.prev.last_time))',
            strandline._joined_ranges(
                strandline._micro_ranges(strandline._with_carried_range()))) }}
        end)[0]
{%- endmacro %}

{#- The ranges of `h.own`, preceded by the time after the start that the last heartbeat of `h.prev`
    keeps alive. -#}
{% macro _with_carried_range() -%}
    concat(
            filter(array(named_struct(
                'start', h.own.start,
                'end', timestamp_micros(unix_micros(h.prev.last_time) + h.prev.interval))),
                x -> x.start < x.end),
            h.own.ranges)
{%- endmacro %}

{#- A heartbeat summary narrowed to a range: a summary again. See _macros.yml. -#}
{% macro trim_to(summary, start=none, length=none, end=none) -%}
    {%- set who = 'trim_to of ' ~ summary -%}
    {%- if start is none and length is none and end is none -%}
        {%- do strandline._refuse(who, ["`start`, `length` and `end` are missing; write where the "
            ~ "narrower range begins, how long it is, or where it ends"]) -%}
    {%- endif -%}
    {%- set from = start if start is not none else '(' ~ summary ~ ').start' -%}
    {%- set own_end = 'unix_micros((' ~ summary ~ ').end)' -%}
    {%- set to = own_end if length is none and end is none
        else strandline._bucket_end(from, length, end, who) -%}
    transform(array(named_struct(
            'own', {{ summary }},
            'from', unix_micros(cast({{ from }} as timestamp)), 'to', {{ to }})), h -> case
        when h.own is null or h.from is null or h.to is null then null
        when h.from < unix_micros(h.own.start) or h.to > unix_micros(h.own.end) or h.from >= h.to
            then {{ strandline._refused_trim(who) }}
        else transform(array({{ strandline._trimmed_ranges() }}), r ->
            {{ strandline._heartbeat_summary(
            'h.from', 'h.to', 'h.own.interval',
            'get(r, 0).from', 'get(r, size(r) - 1).to - h.own.interval', 'r') }})[0]
        end)[0]
{%- endmacro %}

{#- The ranges of `h.own` between `h.from` and `h.to`, in microseconds. A range that extends beyond
    the end keeps its own end if its last heartbeat is before `h.to`. Otherwise the last heartbeat
    before `h.to` is unknown, and the range ends there. -#}
{% macro _trimmed_ranges() -%}
    transform(
            filter({{ strandline._micro_ranges('h.own.ranges') }},
                x -> x.from < h.to and x.to > h.from),
            x -> named_struct(
                'from', greatest(x.from, h.from),
                'to', if(x.to - h.own.interval < h.to, x.to, h.to)))
{%- endmacro %}

{#- Fails the query for a range that is not inside that of the summary. -#}
{% macro _refused_trim(who) -%}
    raise_error(concat({{ strandline._literal(who ~ ': [') }},
                timestamp_micros(h.from), ', ', timestamp_micros(h.to),
                ') is not within the range of the summary, [', h.own.start, ', ', h.own.end,
                '); the trimmed range must be within it'))
{%- endmacro %}

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

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

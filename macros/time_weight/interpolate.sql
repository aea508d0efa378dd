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

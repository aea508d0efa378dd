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

{#- The time weight of an array of parts in the order of time: what lies between two neighbours counts by the
    rule that holds inside them. Parts that overlap, or were made by other rules, stop the query. -#}
{% macro _rolled_time_weight(parts) -%}
    {%- set length = '(unix_micros(p.part.first_time) - unix_micros(s.last_time))' -%}
    {%- set counted = strandline._counted('s.method', 's.gap', length) -%}
    aggregate(
        {{ parts }},
        cast(null as struct<method: string, gap: bigint, weighted_sum: double, elapsed: bigint, num_gaps: bigint,
            first_time: timestamp, first_value: double, last_time: timestamp, last_value: double>),
        (s, p) -> case
            when s is null then p.part
            when {{ strandline._is_unlike('s', 'p.part') }} then {{ strandline._refused_parts('s', 'p.part') }}
            else named_struct(
                'method', s.method, 'gap', s.gap,
                'weighted_sum', s.weighted_sum + p.part.weighted_sum
                    + {{ strandline._weight('s.method', 's.last_value', 'p.part.first_value', counted) }},
                'elapsed', s.elapsed + p.part.elapsed + {{ counted }},
                'num_gaps', s.num_gaps + p.part.num_gaps + if({{ length }} > s.gap, 1L, 0L),
                'first_time', s.first_time, 'first_value', s.first_value,
                'last_time', p.part.last_time, 'last_value', p.part.last_value)
            end)
{%- endmacro %}

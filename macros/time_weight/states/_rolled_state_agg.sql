{#- The summary of states of an array of parts in the order of time. The last state of a part lasts until the next part
    begins, at most for the gap. Parts that overlap, or have other gaps, stop the query. -#}
{% macro _rolled_state_agg(parts) -%}
    {%- set carried = "named_struct('state', a.part.last_state, 'from', unix_micros(a.part.last_time), 'to',
                least(unix_micros(z.part.first_time), coalesce(unix_micros(a.part.last_time) + a.part.gap, unix_micros(z.part.first_time))))" -%}
    get(transform(filter(array({{ parts }}), p -> size(p) > 0), p -> transform(
        array(zip_with(p, slice(p, 2, greatest(size(p) - 1, 0)), (a, z) -> case
            when z is null then null
            when {{ strandline._is_unlike_states('a.part', 'z.part') }} then {{ strandline._refused_states('a.part', 'z.part') }}
            else {{ carried }} end)),
        carried -> {{ strandline._rolled_stretches('p', 'carried') }})[0]), 0)
{%- endmacro %}

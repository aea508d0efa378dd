{#- The summary of an array of states in the order of time; null when it is empty. A state lasts until the next one, at most
    for the gap; the last one has begun and not lasted yet. -#}
{% macro _folded_states(points, gap, is_full) -%}
    get(transform(filter(array({{ points }}), p -> size(p) > 0), p -> {{ strandline._told_states(
        strandline._stretches('p', gap), {
            'gap': gap,
            'first_time': 'timestamp_micros(p[0].t)', 'first_state': 'p[0].state',
            'last_time': 'timestamp_micros(element_at(p, -1).t)', 'last_state': 'element_at(p, -1).state',
        }, is_full) }}), 0)
{%- endmacro %}

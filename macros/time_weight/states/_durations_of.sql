{#- How long each state lasted in all, as an array sorted by state. -#}
{% macro _durations_of(stretches) -%}
    transform(
            array_sort(array_distinct(transform({{ stretches }}, x -> x.state))),
            state -> named_struct('state', state, 'duration',
                aggregate(filter({{ stretches }}, x -> x.state = state), 0L, (sum, x) -> sum + x.to - x.from)))
{%- endmacro %}

{#- When a signal was in a state, as an array of structs (start, end). See _macros.yml. -#}
{% macro state_periods(summary, state) -%}
    transform(filter({{ strandline._timeline(summary, 'state_periods') }}, x -> x.state = {{ strandline._state_literal(state, 'state_periods of ' ~ summary) }}),
        x -> named_struct('start', x.start, 'end', x.end))
{%- endmacro %}

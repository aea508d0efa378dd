{#- All states with their durations in seconds, as an array of structs (state, duration). See _macros.yml. -#}
{% macro into_values(summary) -%}
    transform(({{ summary }}).durations, x -> named_struct('state', x.state, 'duration', x.duration / 1e6D))
{%- endmacro %}

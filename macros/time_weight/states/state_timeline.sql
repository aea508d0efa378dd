{#- The states one after the other, as an array of structs (state, start, end). See _macros.yml. -#}
{% macro state_timeline(summary) -%}
    {{ strandline._timeline(summary, 'state_timeline') }}
{%- endmacro %}

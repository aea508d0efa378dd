{#- When a signal was dead, as an array of structs (start, end). See _macros.yml. -#}
{% macro dead_ranges(summary) -%}
    {{ strandline._told_ranges(strandline._dead(summary)) }}
{%- endmacro %}

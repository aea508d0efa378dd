{#- When a signal was alive, as an array of structs (start, end). See _macros.yml. -#}
{% macro live_ranges(summary) -%}
    {{ strandline._told_ranges(strandline._live(summary)) }}
{%- endmacro %}

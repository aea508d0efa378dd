{#- The time that counts, gaps left out, in a unit. See _macros.yml. -#}
{% macro elapsed_time(summary, unit='second') -%}
    {{- strandline._in_unit('(' ~ summary ~ ').elapsed', unit, 'elapsed_time of ' ~ summary) }}
{%- endmacro %}

{#- The time of the last point. See _macros.yml. -#}
{% macro last_time(summary) -%}
    ({{ summary }}).last_time
{%- endmacro %}

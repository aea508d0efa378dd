{#- The time of the first point. See _macros.yml. -#}
{% macro first_time(summary) -%}
    ({{ summary }}).first_time
{%- endmacro %}

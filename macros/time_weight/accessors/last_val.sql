{#- The value of the last point. See _macros.yml. -#}
{% macro last_val(summary) -%}
    ({{ summary }}).last_value
{%- endmacro %}

{#- The value of the first point. See _macros.yml. -#}
{% macro first_val(summary) -%}
    ({{ summary }}).first_value
{%- endmacro %}

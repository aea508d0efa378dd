{#- The time-weighted average: null where no time has passed. See _macros.yml. -#}
{% macro average(summary) -%}
    if(({{ summary }}).elapsed > 0, ({{ summary }}).weighted_sum / (({{ summary }}).elapsed / 1e6D), null)
{%- endmacro %}

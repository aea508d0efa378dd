{#- The integral over time, in value × unit. See _macros.yml. -#}
{% macro integral(summary, unit='second') -%}
    ({{ summary }}).weighted_sum / {{ strandline._unit_seconds(unit, 'integral of ' ~ summary) }}
{%- endmacro %}

{#- Microseconds as a number of units. -#}
{% macro _in_unit(micros, unit, who) -%}
    {{ micros }} / {{ strandline._checked_unit(unit, who) }}D
{%- endmacro %}

{#- The seconds of a unit, as a SQL number. -#}
{% macro _unit_seconds(unit, who) -%}
    ({{ strandline._checked_unit(unit, who) }} / 1e6D)
{%- endmacro %}

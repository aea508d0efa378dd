{#- The microseconds of a unit in any of its spellings; none for one that is unknown. -#}
{% macro _unit_micros(spelling) %}
    {%- for unit in strandline._units() if spelling | string | lower in unit.spellings -%}
        {{- return(unit.micros) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

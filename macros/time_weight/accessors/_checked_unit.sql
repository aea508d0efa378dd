{#- The microseconds of a unit; an unknown one is refused with the list. -#}
{% macro _checked_unit(unit, who) %}
    {%- set micros = strandline._unit_micros(unit) -%}
    {%- if micros is none -%}
        {%- do strandline._refuse(who, ["`unit` is '" ~ unit ~ "'; write one of "
            ~ strandline._choices(strandline._units() | map(attribute='name'))]) -%}
    {%- endif -%}
    {{- return(micros) -}}
{% endmacro %}

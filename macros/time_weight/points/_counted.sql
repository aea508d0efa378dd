{#- How much of the interval between two neighbouring points counts, in microseconds: under LOCF a value is
    valid for no longer than the gap; a line is drawn over no interval longer than it. -#}
{% macro _counted(method, gap, length) -%}
    if({{ length }} > {{ gap }}, if({{ method }} = 'locf', {{ gap }}, 0L), {{ length }})
{%- endmacro %}

{#- What a step is aligned by, checked: the unit of the precision, the step in it, and the alignment size.
    None when there is a fault. -#}
{% macro _alignment(step, round_time, precision, faults) %}
    {%- if round_time is not boolean -%}
        {%- do faults.append("`round_time` is '" ~ round_time ~ "'; it must be true or false") -%}
    {%- endif -%}
    {%- set unit = strandline._read_precision(precision, faults) -%}
    {%- if unit is none -%}{{- return(none) -}}{%- endif -%}
    {%- set units = strandline._read_units(step, 'step', unit, faults) -%}
    {%- if faults -%}{{- return(none) -}}{%- endif -%}
    {%- for largest, size in strandline._alignment_rows(unit.name, round_time) if largest is none or units <= largest -%}
        {{- return({'unit': unit, 'step': units, 'size': size}) -}}
    {%- endfor -%}
{% endmacro %}

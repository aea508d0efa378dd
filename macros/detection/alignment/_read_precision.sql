{#- The unit that a precision names; adds a fault for any other text, with the nearest that there is. -#}
{% macro _read_precision(precision, faults) %}
    {%- set unit = strandline._alignment_unit(precision) if precision is string else none -%}
    {%- if unit is not none and unit.is_precision -%}{{- return(unit) -}}{%- endif -%}
    {%- set known = strandline._alignment_units() | selectattr('is_precision') | map(attribute='name') | list -%}
    {%- do faults.append("`precision` is '" ~ precision ~ "'; it must be one of " ~ strandline._choices(known)
        ~ strandline._nearest(precision, known)) -%}
    {{- return(none) -}}
{% endmacro %}

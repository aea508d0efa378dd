{#- A gap as a SQL expression of its microseconds, null for none; adds a fault for what is no length of time. -#}
{% macro _read_gap(gap, faults) %}
    {%- if gap is none -%}{{- return('cast(null as bigint)') -}}{%- endif -%}
    {%- set micros = strandline._interval_micros(gap) -%}
    {%- if micros is none -%}
        {%- do faults.append("`gap` is '" ~ gap ~ "'; write a length of time above 0 such as '30 minutes' or 'PT30M' "
            ~ "(weeks to microseconds), or none for a signal without gaps") -%}
    {%- endif -%}
    {{- return((micros or 0) ~ 'L') -}}
{% endmacro %}

{#- The method that is stored for one that was written; adds a fault for an unknown one. -#}
{% macro _read_method(method, faults) %}
    {%- set known = strandline._methods() -%}
    {%- if method | string | lower not in known -%}
        {%- do faults.append("`method` is '" ~ method ~ "'; write one of " ~ strandline._choices(known)) -%}
    {%- endif -%}
    {{- return(known.get(method | string | lower)) -}}
{% endmacro %}

{#- The methods of a time weight: what a person may write, in any case, and what is stored. -#}
{% macro _methods() %}
    {{- return({'locf': 'locf', 'linear': 'linear', 'trapezoidal': 'linear'}) -}}
{% endmacro %}

{#- A gap as a message says it. -#}
{% macro _told_gap(gap) -%}
    coalesce(concat({{ gap }} / 1e6D, ' seconds'), 'none')
{%- endmacro %}

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

{#- The time-weight summary of the points of a group: an aggregate expression. See _macros.yml. -#}
{% macro time_weight(ts, value, method, gap=none, arrival=none) -%}
    {%- do strandline._check_call('time_weight', kwargs, varargs, {
        'ts': [ts, "name the column of the points' time"],
        'value': [value, "name the column of the points' value"],
        'method': [method, "write one of locf, linear, trapezoidal"],
    }, ['gap', 'arrival']) -%}
    {%- set faults = [] -%}
    {%- set method = strandline._read_method(method, faults) -%}
    {%- set gap = strandline._read_gap(gap, faults) -%}
    {%- do strandline._refuse('time_weight of ' ~ value, faults) -%}
    {{- strandline._folded_points(strandline._collected_points(ts, value, arrival), "'" ~ method ~ "'", gap) }}
{%- endmacro %}

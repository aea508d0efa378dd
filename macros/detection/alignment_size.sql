{#- The alignment size of a step, a number when dbt compiles. See _macros.yml. -#}
{% macro alignment_size(step, round_time=true, precision='ms') %}
    {%- set faults = [] -%}
    {%- set alignment = strandline._alignment(step, round_time, precision, faults) -%}
    {%- do strandline._refuse('alignment_size', faults) -%}
    {{- return(alignment.size) -}}
{% endmacro %}

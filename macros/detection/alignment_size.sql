{#- The alignment size of a step, a number when dbt compiles. See _macros.yml. -#}
{% macro alignment_size(step, round_time=true, precision='ms') %}
    {%- do strandline._check_call('alignment_size', kwargs, varargs, {
        'step': [step, "write the step of the windows, such as '3 ms'"],
    }, ['round_time', 'precision']) -%}
    {%- set faults = [] -%}
    {%- set alignment = strandline._alignment(step, round_time, precision, faults) -%}
    {%- do strandline._refuse('alignment_size', faults) -%}
    {{- return(alignment.size) -}}
{% endmacro %}

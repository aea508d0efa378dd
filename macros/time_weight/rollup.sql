{#- Merges summaries in the order of time into one: an aggregate expression. See _macros.yml. -#}
{% macro rollup(summary, of='time_weight') -%}
    {%- set read = strandline._arguments(strandline._caller('rollup', summary), kwargs, varargs, {
        'summary': ['any', summary, "name the column of the summaries"],
        'of': strandline._summary_argument(of),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set parts = strandline._collected_parts(summary) -%}
    {%- if of == 'time_weight' -%}{{ strandline._merged_time_weights(parts) }}
    {%- elif of == 'state_agg' -%}{{ strandline._merged_state_aggs(parts) }}
    {%- else -%}{{ strandline._merged_heartbeat_aggs(parts) }}
    {%- endif -%}
{%- endmacro %}

{#- The argument `of`, the kind of a summary, for `_arguments`. -#}
{% macro _summary_argument(of) %}
    {%- set kinds = ['time_weight', 'state_agg', 'heartbeat_agg'] -%}
    {{- return(['choice', of, 'write which kind of summary it is: ' ~ strandline._choices(kinds),
        {'of': kinds}]) -}}
{% endmacro %}

{#- The body of the model of events that an aggregation does not count, each with its reason: without
    a usable time, late, or duplicates. See _macros.yml. -#}
{% macro aggregation_late(definition) %}
    {%- do strandline._check_definition(definition, 'aggregation_late') -%}
    {%- set who = "aggregation_late of '" ~ definition.name ~ "'" -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'definition': [definition, ''],
    }) -%}
    {{- config(materialized='strandline_summary', file_format='delta') -}}
    {%- if execute -%}
        {%- set task = strandline._events_task(definition) -%}
        {%- do task.update({'kind': 'late', 'columns': strandline._types_of(definition.source) | list}) -%}
        {{- strandline._task_line(task) }}
{{ strandline._events(task) }}
{{- strandline._late_rows(task) }}
    {%- endif -%}
{% endmacro %}

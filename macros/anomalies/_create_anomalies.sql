{#- The first build, and a full refresh: what a run finds when nothing is stored, in one commit with its mark. -#}
{% macro _create_anomalies(relation, task, run) %}
    {%- set nothing = strandline._no_anomalies(task) -%}
    {%- set changes = none -%}
    {%- do task.settings.update({'mark': none if run is none else run.mark}) -%}
    {%- if run is not none -%}
        {%- set changes = strandline._staged_changes(relation, task, run, nothing) -%}
    {%- endif -%}
    {%- set rows = strandline._written_anomalies(task, '(' ~ nothing ~ ')' if changes is none else changes) -%}
    {{- return(strandline._create_summary(relation, task, rows ~ ' distribute by ends_month')) -}}
{% endmacro %}

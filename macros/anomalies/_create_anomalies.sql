{#- The first build, and a full refresh: what a run finds when nothing is stored, in one commit with its mark. -#}
{% macro _create_anomalies(relation, task, run) %}
    {%- set nothing = strandline._no_anomalies(task) -%}
    {%- set body = nothing -%}
    {%- do task.settings.update({'mark': none if run is none else run.mark}) -%}
    {%- if run is not none -%}
        {%- set changes = strandline._staged_changes(relation, task, run, nothing) -%}
        {%- if changes is not none -%}{%- set body = 'select ' ~ strandline._anomaly_columns(task.key) | join(', ') ~ ' from ' ~ changes -%}{%- endif -%}
    {%- endif -%}
    {{- return(strandline._create_summary(relation, task, body)) -}}
{% endmacro %}

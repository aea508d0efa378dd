{#- Judges, groups anew and tells, each step held in the session; gives the name of the view of the rows to be written. -#}
{% macro _staged_changes(relation, task, run, stored) %}
    {%- set judged = strandline._staged(relation, 'judged', strandline._judged(task, run, stored)) -%}
    {%- set summary = strandline._judged_summary(task, judged) -%}
    {%- set regrouped = strandline._staged(relation, 'regrouped', strandline._regrouped(task, run, stored, judged, summary)) -%}
    {{- return(strandline._staged(relation, 'changes', strandline._changes(task, run, stored, judged, regrouped))) -}}
{% endmacro %}

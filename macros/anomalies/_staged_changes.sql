{#- Judges, groups anew and tells, each step computed once; gives where the rows to be written stand, or none when
    nothing has changed and nothing waits to be told. -#}
{% macro _staged_changes(relation, task, run, stored) %}
    {%- set judged = strandline._staged(relation, 'judged', strandline._judged(task, run, stored)) -%}
    {%- set summary = strandline._judged_summary(task, run, stored, judged) -%}
    {%- if not summary.rows and not summary.pending -%}{{- return(none) -}}{%- endif -%}
    {%- set regrouped = strandline._staged(relation, 'regrouped', strandline._regrouped(task, run, stored, judged, summary)) -%}
    {%- set told = strandline._staged(relation, 'told', strandline._told(task, run, stored, regrouped)) -%}
    {{- return(strandline._staged(relation, 'changes', strandline._changes(task, run, judged, regrouped, told))) -}}
{% endmacro %}

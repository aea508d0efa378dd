{#- What is new among the late events: rows to append, or none. Files without a null in the time
    column are never opened, so that looking costs little where nothing is late. -#}
{% macro _late_change(relation, task) %}
    {%- set consumed = strandline._stored_arrival(relation, task.arrival) -%}
    {%- set rows = strandline._late_rows(task, task.arrival ~ ' > ' ~ consumed if consumed else none) -%}
    {%- if run_query('select 1 from (' ~ rows ~ ') limit 1').rows | length == 0 -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({'sql': rows}) -}}
{% endmacro %}

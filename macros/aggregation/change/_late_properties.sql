{#- The properties that a new table of late events is created with: how far it looks. Asked before its
    rows are, so that it never says more than they hold. How many events are late is left in the task,
    for the model's message. -#}
{% macro _late_properties(task) %}
    {%- set seen = strandline._look(task, strandline._events(task), 'late_reason is not null') -%}
    {%- do task.update({'late': seen.late}) -%}
    {{- return({'strandline.looked': tojson({'arrival': seen.arrival, 'newest': seen.newest})} if seen.arrival is not none else {}) -}}
{% endmacro %}

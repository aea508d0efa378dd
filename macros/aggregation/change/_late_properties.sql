{#- The properties that a new table of late events is created with: how far it looks. Asked before its
    rows are, so that it never says more than they hold. -#}
{% macro _late_properties(task) %}
    {%- set seen = strandline._look(task, strandline._events(task), 'false') -%}
    {{- return({'strandline.looked': tojson({'arrival': seen.arrival, 'newest': seen.newest})} if seen.arrival is not none else {}) -}}
{% endmacro %}

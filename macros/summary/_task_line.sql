{#- The first line of a summary model's body: the task of its materialization, as JSON. -#}
{% macro _task_line(task) %}
    {{- return('-- strandline: ' ~ tojson(task)) -}}
{% endmacro %}

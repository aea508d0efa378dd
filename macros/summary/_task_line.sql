{#- The first line of a summary model's body: the task of its materialization, as JSON. It is a comment of the statement,
    in which Spark would put a variable's value for a `${…}` too. -#}
{% macro _task_line(task) %}
    {{- return('-- strandline: ' ~ tojson(task).replace('${', '\\u0024{')) -}}
{% endmacro %}

{#- The first line of a summary model's body: the task of its materialization, as JSON. It is a comment of the statement,
    in which Spark would put a variable's value for a `${…}` too. -#}
{% macro _task_line(task) %}
    {{- return('-- strandline: ' ~ tojson(task).replace('${', '\\u0024{')) -}}
{% endmacro %}

{#- Reads the task back from the first line of the compiled body. -#}
{% macro _read_task(compiled) %}
    {%- set line = (compiled | trim).split('\n')[0] -%}
    {%- if not line.startswith('-- strandline: ') -%}
        {%- do strandline._refuse(config.get('materialized') ~ ' in ' ~ model.name, ["the model's body must be one call, "
            ~ "such as {{ strandline.aggregation_table(my_aggregation(), 'seconds') }}, and nothing before it"]) -%}
    {%- endif -%}
    {{- return(fromjson(line[15:])) -}}
{% endmacro %}

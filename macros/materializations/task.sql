{#- The first line of the body of an incremental model: the task of its materialization, as JSON. It
    is an SQL comment. Spark substitutes `${…}` in comments too, so it is escaped. -#}
{% macro _task_line(task) %}
    {{- return('-- strandline: ' ~ tojson(task).replace('${', '\\u0024{')) -}}
{% endmacro %}

{#- Reads the task from the first line of the compiled body. -#}
{% macro _read_task(compiled) %}
    {%- set line = (compiled | trim).split('\n')[0] -%}
    {%- if not line.startswith('-- strandline: ') -%}
        {%- do strandline._refuse(config.get('materialized') ~ ' in ' ~ model.name,
            ["the model's body must be one call, such as {{ "
            ~ "strandline.aggregation_table(my_aggregation(), 'seconds') }}, and "
            ~ "nothing before it"]) -%}
    {%- endif -%}
    {{- return(fromjson(line[15:])) -}}
{% endmacro %}

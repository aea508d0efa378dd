{#- Reads the task back from the first line of the compiled body. -#}
{% macro _read_task(compiled) %}
    {%- set line = (compiled | trim).split('\n')[0] -%}
    {%- if not line.startswith('-- strandline: ') -%}
        {%- do strandline._refuse('strandline_summary in ' ~ model.name, ["the model's body must be one call, "
            ~ "such as {{ strandline.aggregation_table(my_aggregation(), 'seconds') }}, and nothing before it"]) -%}
    {%- endif -%}
    {{- return(fromjson(line[15:])) -}}
{% endmacro %}

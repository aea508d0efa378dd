{#- The expression that computes an output from its stored parts. -#}
{% macro _read_output(output) %}
    {%- set expression = namespace(text=strandline._aggregates()[output.function].read) -%}
    {%- for kind, column in output.columns.items() -%}
        {%- set expression.text = expression.text.replace('{' ~ kind ~ '}', column) -%}
    {%- endfor -%}
    {{- return(expression.text) -}}
{% endmacro %}

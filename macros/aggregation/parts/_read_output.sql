{#- The expression that computes an output from its stored parts. -#}
{% macro _read_output(output) %}
    {%- set read = '{latest}.value' if output.function == 'latest' else strandline._aggregates()[output.function].read -%}
    {%- set expression = namespace(text=read.replace('{option}', output.option | string)) -%}
    {%- for kind, column in output.columns.items() -%}
        {%- set expression.text = expression.text.replace('{' ~ kind ~ '}', column) -%}
    {%- endfor -%}
    {{- return(expression.text) -}}
{% endmacro %}

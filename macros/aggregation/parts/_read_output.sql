{#- The expression that computes an output from its stored parts. -#}
{% macro _read_output(output, is_finest) %}
    {%- if output.function == 'time_weight' and is_finest -%}
        {{- return(strandline._folded_points(output.columns.time_weight, output.option.method, output.option.gap)) -}}
    {%- endif -%}
    {%- set read = '{latest}.value' if output.function == 'latest' else strandline._aggregates()[output.function].read -%}
    {{- return(strandline._filled(read, dict(output.columns, option=output.option))) -}}
{% endmacro %}

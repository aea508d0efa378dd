{#- The expression of one part: `how` is take (from events) or roll (from stored rows). -#}
{% macro _part_expression(task, part, how) %}
    {%- if part.kind == 'time_weight' -%}{{- return(strandline._time_weight_part(task, part, how)) -}}{%- endif -%}
    {%- set expression = namespace(text=strandline._parts()[part.kind][how]) -%}
    {%- set values = {
        '{x}': part.argument if how == 'take' else part.column,
        '{at}': 'agg_event_time',
        '{arrival}': 'agg_event_arrival',
        '{who}': strandline._quoted('aggregation ' ~ task.aggregation),
        '{argument}': strandline._quoted(part.argument),
    } -%}
    {%- for mark, value in values.items() -%}
        {%- set expression.text = expression.text.replace(mark, value) -%}
    {%- endfor -%}
    {{- return(expression.text) -}}
{% endmacro %}

{#- The expression of one part: `how` is take (from events) or roll (from stored rows). -#}
{% macro _part_expression(task, part, how) %}
    {%- if part.kind == 'time_weight' -%}{{- return(strandline._time_weight_part(task, part, how)) -}}{%- endif -%}
    {%- set overflow = 'aggregation ' ~ task.aggregation ~ ': a sum of ' ~ part.argument ~ ' is beyond the range of its type; '
        ~ 'sum a wider one, such as sum(cast(' ~ part.argument ~ ' as decimal(38, 0)))' -%}
    {{- return(strandline._filled(strandline._parts()[part.kind][how], {
        'x': part.argument if how == 'take' else part.column,
        'at': 'agg_event_time',
        'arrival': 'agg_event_arrival',
        'overflow': strandline._literal(overflow),
    })) -}}
{% endmacro %}

{#- States by key and bucket: the summary as an aggregate, over the points themselves. -#}
{% macro _state_agg_summary(task, source, keys) %}
    {{- return({
        'summary': strandline._folded_states(strandline._collected_states('timestamp_micros(agg_t)', 'agg_value'), task.gap, task.form == 'full'),
        'rows': source,
    }) -}}
{% endmacro %}

{#- The properties that a new table of summaries is created with: statistics of the columns by which runs find what they need. -#}
{% macro _points_properties(task) %}
    {{- return({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'}) -}}
{% endmacro %}

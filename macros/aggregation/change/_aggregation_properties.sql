{#- The properties that a new aggregation table is created with: statistics of just the columns by
    which runs find what they need keep the log small, however many parts there are. -#}
{% macro _aggregation_properties(task) %}
    {{- return({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'}) -}}
{% endmacro %}

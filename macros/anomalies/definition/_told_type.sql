{#- The type of `told`: when, and as which anomaly. -#}
{% macro _told_type() %}
    {{- return('struct<at: timestamp, anomaly_id: string>') -}}
{% endmacro %}

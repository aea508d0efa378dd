{#- Rows as they are written: with the month that they end in, which files are apart by. A run rewrites the files of the rows that it
    changes; without months, what is old would pile up in the newest file. -#}
{% macro _written_anomalies(task, changes) %}
    {%- set month = strandline._partition_of('ends_at', task.partition, 'UTC') -%}
    {{- return('select ' ~ strandline._anomaly_columns(task.key) | join(', ') ~ ', ' ~ month ~ ' as ends_month from ' ~ changes) -}}
{% endmacro %}

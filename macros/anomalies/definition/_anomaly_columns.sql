{#- The columns of the table of anomalies, in their order. -#}
{% macro _anomaly_columns(key) %}
    {{- return(['anomaly_id'] + key + ['starts_at', 'ends_at', 'current_value', 'baseline_value', 'severity', 'labels', 'generation',
        'replaces', 'incident_id', 'parent_id', 'is_parent', 'status', 'first_seen_at', 'changed_at', 'created_run_at',
        'changed_run_at', 'notified_at', 'told', 'told_completed']) -}}
{% endmacro %}

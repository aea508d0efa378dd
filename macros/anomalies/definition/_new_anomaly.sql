{#- The columns that every new row begins with. -#}
{% macro _new_anomaly(run) %}
    {{- return({
        'generation': '0', 'replaces': 'cast(null as string)', 'incident_id': 'cast(null as string)',
        'parent_id': 'cast(null as string)', 'is_parent': 'false', 'status': "'new'", 'first_seen_at': run.frame_end,
        'changed_at': run.frame_end, 'created_run_at': run.run_at, 'changed_run_at': run.run_at,
        'notified_at': 'cast(null as timestamp)', 'told': 'cast(null as ' ~ strandline._told_type() ~ ')',
        'told_completed': 'cast(null as ' ~ strandline._told_type() ~ ')',
    }) -}}
{% endmacro %}

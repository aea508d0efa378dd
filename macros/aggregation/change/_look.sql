{#- What there is among judged events: the latest arrival, the newest bucket (with a buffer), and
    how many are late and not stored yet. -#}
{% macro _look(task, events, untold) %}
    {%- set countable = strandline._is_countable(task) -%}
    {%- set newest = "max(if(" ~ countable ~ ", unix_seconds(" ~ strandline.bucket_start('agg_event_time', task.finest, task.time_zone) ~ "), null))"
        if task.buffer else "null" -%}
    {%- set row = run_query(events ~ " select " ~ strandline._exact_text('max(agg_event_arrival)') ~ ", typeof(max(agg_event_arrival)), cast(" ~ newest
        ~ " as string), " ~ strandline._late_events_columns(untold) ~ " from placed").rows[0] -%}
    {{- return({
        'arrival': strandline._typed_literal(row[0], row[1]),
        'newest': row[2],
        'late': strandline._late_events([row[3], row[4], row[5]]),
    }) -}}
{% endmacro %}

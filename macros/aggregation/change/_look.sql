{#- What there is among judged events: the latest arrival, the newest bucket (with a buffer), and
    whether any are late and not told of yet. -#}
{% macro _look(task, events, untold) %}
    {%- set countable = strandline._is_countable(task) -%}
    {%- set newest = "max(if(" ~ countable ~ ", unix_seconds(" ~ strandline.bucket_start('agg_event_time', task.finest, task.time_zone) ~ "), null))"
        if task.buffer else "null" -%}
    {%- set row = run_query(events ~ " select cast(max(agg_event_arrival) as string), typeof(max(agg_event_arrival)), cast(" ~ newest
        ~ " as string), count_if(" ~ untold ~ ") from placed").rows[0] -%}
    {{- return({
        'arrival': strandline._typed_literal(row[0], row[1]),
        'newest': row[2],
        'is_late': row[3] | int > 0,
    }) -}}
{% endmacro %}

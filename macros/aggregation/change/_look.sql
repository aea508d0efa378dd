{#- What there is among judged events: the latest arrival, the newest bucket (with a buffer), and the
    latest arrival of those that are late and not told of yet (none when there are none). -#}
{% macro _look(task, events, untold) %}
    {%- set countable = strandline._is_countable(task) -%}
    {%- set newest = "max(if(" ~ countable ~ ", unix_seconds(" ~ strandline.bucket_start('agg_event_time', task.finest, task.time_zone) ~ "), null))"
        if task.buffer else "null" -%}
    {%- set row = run_query(events ~ " select cast(max(agg_event_arrival) as string), typeof(max(agg_event_arrival)), cast(" ~ newest
        ~ " as string), cast(max(if(" ~ untold ~ ", agg_event_arrival, null)) as string) from placed").rows[0] -%}
    {%- set as_arrival = "cast({} as " ~ row[1] ~ ")" -%}
    {{- return({
        'arrival': as_arrival.format(strandline._literal(row[0])) if row[0] is not none else none,
        'newest': row[2],
        'last_late': as_arrival.format(strandline._literal(row[3])) if row[3] is not none else none,
    }) -}}
{% endmacro %}

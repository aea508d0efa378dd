{#- What is new among the late events: rows to append, if any, and how far the table has looked, as a
    property of its own. Looking may lag behind the rows, never lead: a run that was killed between
    the two looks again, and appends nothing twice. -#}
{% macro _late_change(relation, task, properties) %}
    {%- set looked = fromjson(properties.get('strandline.looked', '{}')) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set is_new = strandline._is_new(task, looked.get('arrival')) -%}
    {%- set state = strandline._events_state_of_late(task, is_new, looked) -%}
    {%- set events = strandline._events(task, is_new, state) -%}
    {%- set told = strandline._stored_arrival(relation, task.arrival) -%}
    {%- set untold = 'late_reason is not null' ~ (' and ' ~ task.arrival ~ ' > ' ~ told if told else '') -%}
    {%- set seen = strandline._look(task, events, untold) -%}
    {%- if seen.arrival is none -%}{{- return(none) -}}{%- endif -%}
    {{- return({
        'sql': events ~ strandline._late_rows(task, untold) if seen.late.count else none,
        'properties': {'strandline.looked': tojson({'arrival': seen.arrival, 'newest': seen.newest or looked.get('newest')})},
        'consumed': told, 'column': task.arrival, 'late': seen.late,
    }) -}}
{% endmacro %}

{#- The properties that a new table of late events is created with: how far it looks. Asked before its
    rows are, so that it never says more than they hold. How many events are late is left in the task,
    for the model's message. -#}
{% macro _late_properties(task) %}
    {%- set seen = strandline._look(task, strandline._events(task), 'late_reason is not null') -%}
    {%- do task.update({'late': seen.late}) -%}
    {{- return({'strandline.looked': tojson({'arrival': seen.arrival, 'newest': seen.newest})} if seen.arrival is not none else {}) -}}
{% endmacro %}

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

{#- What the table of late events must know of the events before: see `_events_state`. The newest
    bucket is remembered beside the arrival up to which it has looked. -#}
{% macro _events_state_of_late(task, is_new, looked) %}
    {%- set state = strandline._events_state(none, task, is_new) -%}
    {%- if is_new and looked.get('newest') is not none -%}{%- do state.update({'newest': looked.newest ~ 'L'}) -%}{%- endif -%}
    {{- return(state) -}}
{% endmacro %}

{#- The materialization of a table of late events. A run appends those that are not stored yet, and
    keeps in a property how far it has read. -#}
{% materialization strandline_aggregation_late, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_new -%}
        {%- set found = strandline._read_late(run.task, strandline._events(run.task), 'late_reason is not null') -%}
        {%- set properties = strandline._late_properties(found) -%}
        {%- do strandline._create(run, strandline._create_table(this, run.task, compiled_code, properties)) -%}
        {%- do strandline._report_created(this, found.late) -%}
    {%- else -%}
        {%- do strandline._write_change(this, strandline._late_change(this, run.task, run.properties)) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- What is new among the late events: rows to append, if any, and how far the table has looked, as a
    property of its own. Looking may lag behind the rows, never lead: a run that was killed between
    the two looks again, and appends nothing twice. -#}
{% macro _late_change(relation, task, properties) %}
    {%- set looked = fromjson(properties.get('strandline.looked', '{}')) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set is_new = strandline._is_new(task, looked.get('arrival')) -%}
    {%- set state = strandline._events_state_of_late(task, is_new, looked) -%}
    {%- set events = strandline._events(task, is_new, state) -%}
    {%- set told = strandline._watermark(relation, task.arrival) -%}
    {%- set untold = 'late_reason is not null' ~ (' and ' ~ task.arrival ~ ' > ' ~ told if told else '') -%}
    {%- set seen = strandline._read_late(task, events, untold) -%}
    {%- if seen.arrival is none -%}{{- return(none) -}}{%- endif -%}
    {{- return({
        'sql': events ~ strandline._late_rows(task, untold) if seen.late.count else none,
        'properties': {'strandline.looked': tojson({'arrival': seen.arrival, 'newest': seen.newest or looked.get('newest')})},
        'watermark': told, 'column': task.arrival, 'late': seen.late,
    }) -}}
{% endmacro %}

{#- What there is among judged events: the latest arrival, the newest bucket (with a buffer), and
    how many are late and not stored yet. -#}
{% macro _read_late(task, events, untold) %}
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

{#- How far a new table of late events has read, as its property. It is read before its rows are, so
    that it never says more than they hold. -#}
{% macro _late_properties(found) %}
    {{- return({'strandline.looked': tojson({'arrival': found.arrival, 'newest': found.newest})}
        if found.arrival is not none else {}) -}}
{% endmacro %}

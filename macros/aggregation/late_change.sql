{#- The materialization of a table of late events. A run appends late events that are not stored
    yet, and stores its watermark in a property. -#}
{% materialization strandline_aggregation_late, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- if run.is_new -%}
        {%- set found = strandline._read_late(run.task, strandline._events(run.task),
            'late_reason is not null') -%}
        {%- set properties = strandline._late_properties(found) -%}
        {%- do strandline._create(run,
            strandline._create_table(this, run.task, compiled_code, properties)) -%}
        {%- do strandline._report_created(this, found.late) -%}
    {%- else -%}
        {%- do strandline._write_change(this,
            strandline._late_change(this, run.task, run.properties)) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The incremental change of a table of late events: rows to append, if any, and the watermark as a
    property. The property may be behind the rows, but never ahead: a run that was killed between
    the two commits reads the events again and appends nothing twice. -#}
{% macro _late_change(relation, task, properties) %}
    {%- set stored = fromjson(properties.get('strandline.watermark', '{}')) -%}
    {%- do task.update({'purged_before': strandline._later_horizon(
        properties.get('strandline.purged_before'), strandline._base_of_late(task))}) -%}
    {%- set is_compared = task.get('arrival_lookback') and stored.get('arrival') is not none -%}
    {%- set above = strandline._less_lookback(task, stored.arrival) if is_compared
        else stored.get('arrival') -%}
    {%- set is_new = strandline._is_new(task, above) -%}
    {%- set state = strandline._events_state_of_late(task, is_new, stored) -%}
    {%- if is_compared -%}
        {%- do state.update({'stored': {'relation': relation, 'above': above}}) -%}
    {%- endif -%}
    {%- set events = strandline._events(task, is_new, state) -%}
    {%- set arrival = strandline._quoted(task.arrival) -%}
    {%- set stored_arrival = strandline._watermark(relation, arrival) -%}
    {%- set is_new_late = 'agg_event_is_new' if is_compared else 'late_reason is not null'
        ~ (' and ' ~ arrival ~ ' > ' ~ stored_arrival if stored_arrival else '') -%}
    {%- set found = strandline._read_late(task, events, is_new_late,
        stored.arrival if is_compared else none) -%}
    {%- if found.arrival is none -%}{{- return(none) -}}{%- endif -%}
    {{- return({
        'sql': events ~ strandline._late_rows(task, is_new_late) if found.late.count else none,
        'properties': {'strandline.watermark': tojson({'arrival': found.arrival,
            'newest': found.newest or stored.get('newest')})},
        'watermark': stored_arrival, 'column': arrival, 'late': found.late,
    }) -}}
{% endmacro %}

{#- From classified events: the latest arrival (none if there are no new events), the newest bucket
    (with a buffer), and the number of late events that are not stored yet. With a lookback, `read`
    is the arrival up to which events were read before. -#}
{% macro _read_late(task, events, is_new_late, read=none) %}
    {%- set countable = strandline._is_countable(task) -%}
    {%- set newest = "max(if(" ~ countable ~ ", unix_seconds("
        ~ strandline.bucket_start('agg_event_time', task.base_duration, task.time_zone)
        ~ "), null))"
        if task.buffer else "null" -%}
    {%- set latest = 'max(agg_event_arrival)' if read is none
        else 'if(count(*) > 0, greatest(max(agg_event_arrival), ' ~ read ~ '), null)' -%}
    {%- set row = run_query(events ~ " select " ~ strandline._exact_text(latest)
        ~ ", typeof(max(agg_event_arrival)), cast(" ~ newest
        ~ " as string), " ~ strandline._late_events_columns(is_new_late)
        ~ " from __classified_events" ~ (" where agg_event_is_new or agg_event_arrival > " ~ read
            if read is not none else "")).rows[0] -%}
    {{- return({
        'arrival': strandline._typed_literal(row[0], row[1]),
        'newest': row[2],
        'late': strandline._late_events([row[3], row[4], row[5]]),
    }) -}}
{% endmacro %}

{#- What the table of late events needs to know of earlier events: see `_events_state`. The newest
    bucket is stored beside the watermark. -#}
{% macro _events_state_of_late(task, is_new, stored) %}
    {%- set state = strandline._events_state(none, task, is_new) -%}
    {%- if is_new and stored.get('newest') is not none -%}
        {%- do state.update({'newest': stored.newest ~ 'L'}) -%}
    {%- endif -%}
    {{- return(state) -}}
{% endmacro %}

{#- The watermark of a new table of late events, as its property. It is read before the rows are, so
    that it is never ahead of them. -#}
{% macro _late_properties(found) %}
    {{- return({'strandline.watermark': tojson({'arrival': found.arrival, 'newest': found.newest})}
        if found.arrival is not none else {}) -}}
{% endmacro %}

{#- What the new events of the finest table come to: the partitions in which some count and the latest
    arrival of these, as `_touched` gives them, and how many are late. -#}
{% macro _new_events(task, events) %}
    {%- set partition = strandline._partition_of('agg_event_bucket', strandline._duration(task.duration).partition, task.time_zone) -%}
    {%- set row = run_query(events ~ " select array_join(collect_set(if(late_reason is null, cast(" ~ partition ~ " as string), null)), ','), "
        ~ strandline._exact_text('max(if(late_reason is null, agg_event_arrival, null))')
        ~ ", typeof(max(agg_event_arrival)), "
        ~ strandline._late_events_columns() ~ " from placed").rows[0] -%}
    {{- return({
        'partitions': (row[0] or '').split(',') | select | sort | list,
        'seen': strandline._typed_literal(row[1], row[2]),
        'late': strandline._late_events([row[3], row[4], row[5]]),
    }) -}}
{% endmacro %}

{% macro _late_events(values) %}
    {{- return({
        'events': values[0] | int,
        'count': values[1] | int,
        'reasons': (values[2] or '').split('\n') | select | list,
    }) -}}
{% endmacro %}

{#- How many of the judged events of a run are late, and why. The first macro gives the columns of a
    query over `placed`, the second reads them back: `events`, `count` and `reasons`. They stand in
    a query that the run makes anyway. -#}
{% macro _late_events_columns(condition='late_reason is not null') -%}
    count(*), count_if({{ condition }}), array_join(array_sort(collect_set(if({{ condition }}, late_reason, null))), '\n')
{%- endmacro %}

{#- What the new events of the finest table come to: the partitions in which some count and the latest
    arrival of these, as `_changed_partitions` gives them, and how many are late. -#}
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

{#- How many events are late of a finest table that was just made and is empty; else none. Delta counts
    rows without a job, so only an empty table costs one. -#}
{% macro _late_events_of_empty(relation, task) %}
    {%- if not task.from_events or strandline._has_late_model() -%}{{- return(none) -}}{%- endif -%}
    {%- if run_query('select count(*) from ' ~ relation).rows[0][0] | int -%}{{- return(none) -}}{%- endif -%}
    {{- return(strandline._new_events(task, strandline._events(task)).late) -}}
{% endmacro %}

{#- Whether a model of the project keeps the late events of this model's aggregation: one whose body
    is `aggregation_late` of a definition that this model takes as well. -#}
{% macro _has_late_model() %}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and 'aggregation_late' in (node.raw_code or '') -%}
        {%- for name in node.depends_on.macros if name in model.depends_on.macros and not name.startswith('macro.strandline.') -%}
            {{- return(true) -}}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}

{#- The result of `_late_events_columns`: `events`, `count` and `reasons`. -#}
{% macro _late_events(values) %}
    {{- return({
        'events': values[0] | int,
        'count': values[1] | int,
        'reasons': (values[2] or '').split('\n') | select | list,
    }) -}}
{% endmacro %}

{#- The number of classified events of a run, of late ones among them, and their reasons, as columns
    of a query over `__classified_events`. They are part of a query that the run needs anyway. -#}
{% macro _late_events_columns(condition='late_reason is not null') -%}
    count(*), count_if({{ condition }}),
    array_join(array_sort(collect_set(if({{ condition }}, late_reason, null))), '\n')
{%- endmacro %}

{#- The new events of the base table: the partitions in which some of them count, the latest arrival
    of these (see `_changed_partitions`), and the number of late events. With a lookback the events
    are compared with what is stored. -#}
{% macro _new_events(task, events, is_compared=false) %}
    {%- set partition = strandline._partition_of('agg_event_bucket',
        strandline._duration(task.duration).partition, task.time_zone) -%}
    {%- set row = run_query(events ~ " select array_join(collect_set(if(late_reason is null, cast("
        ~ partition ~ " as string), null)), ','), "
        ~ strandline._exact_text('max(if(late_reason is null, agg_event_arrival, null))')
        ~ ", typeof(max(agg_event_arrival)), "
        ~ strandline._late_events_columns() ~ " from __classified_events"
        ~ (" where agg_event_is_new" if is_compared else "")).rows[0] -%}
    {{- return({
        'partitions': (row[0] or '').split(',') | select | sort | list,
        'latest_arrival': strandline._typed_literal(row[1], row[2]),
        'late': strandline._late_events([row[3], row[4], row[5]]),
    }) -}}
{% endmacro %}

{#- The late events of a new base table that is empty; otherwise none. Delta counts rows without a
    job, so only an empty table needs one. -#}
{% macro _late_events_of_empty(relation, task) %}
    {%- if not task.is_base or strandline._has_late_model() -%}{{- return(none) -}}{%- endif -%}
    {%- if run_query('select count(*) from ' ~ relation).rows[0][0] | int -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(strandline._new_events(task, strandline._events(task)).late) -}}
{% endmacro %}

{#- Whether a model of the project stores the late events of this model's aggregation: a model whose
    body is `aggregation_late` and that uses the same definition macro. -#}
{% macro _has_late_model() %}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and 'aggregation_late' in (node.raw_code or '') -%}
        {%- for name in node.depends_on.macros
            if name in model.depends_on.macros and not name.startswith('macro.strandline.') -%}
            {{- return(true) -}}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}

{#- The base table of the aggregation, if it is built and `strandline purge` removes its rows. -#}
{% macro _base_of_late(task) %}
    {%- for node in graph.nodes.values() if task.settings.is_purged
        and node.resource_type == 'model'
        and node.name == task.aggregation ~ '_' ~ task.base_duration -%}
        {{- return(load_cached_relation(api.Relation.create(database=node.database,
            schema=node.schema, identifier=node.alias))) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

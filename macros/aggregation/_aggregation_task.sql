{#- What the materialization must know of an aggregation table, as plain data: it is also what is
    stored with the table, to be compared by the next run (rule: configuration is part of the state). -#}
{% macro _aggregation_task(definition, duration, feed) %}
    {%- set is_finest = definition.durations[0] == duration.name -%}
    {%- set events = strandline._events_task(definition) -%}
    {%- set zone = [{'column': 'agg_latest_timezone', 'kind': 'latest', 'argument': 'agg_event_zone'}] -%}
    {%- set outputs = [] -%}
    {%- for output in definition.outputs -%}
        {%- do outputs.append({'name': output.name, 'text': output.text,
            'columns': output.columns.values() | list}) -%}
    {%- endfor -%}
    {%- set task = {
        'kind': 'aggregation',
        'aggregation': definition.name,
        'duration': duration.name,
        'feed': feed | string,
        'feed_name': feed.identifier,
        'feed_duration': none if is_finest else definition.durations[definition.durations.index(duration.name) - 1],
        'from_events': is_finest,
        'feed_is_finest': definition.durations.index(duration.name) == 1,
        'group_by': definition.group_by,
        'time_zone': definition.time_zone,
        'parts': definition.parts + (zone if events.time_kind == 'text' else []),
        'outputs': outputs,
        'mutability_seconds': definition.mutability_seconds,
        'retention': definition.retention,
    } -%}
    {%- if is_finest -%}{%- do task.update(events) -%}{%- endif -%}
    {{- return(task) -}}
{% endmacro %}

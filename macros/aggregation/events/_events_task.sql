{#- What must be known to judge the events of an aggregation, as plain data: the finest table and
    the table of late events share it, so that an event is counted by one or told by the other. -#}
{% macro _events_task(definition) %}
    {%- set types = strandline._check_columns(definition) -%}
    {%- set arguments = definition.parts | map(attribute='argument') | reject('equalto', '*') | unique | list -%}
    {{- return({
        'aggregation': definition.name,
        'feed': definition.source | string,
        'feed_name': definition.source.identifier,
        'finest': definition.durations[0],
        'group_by': definition.group_by,
        'aggregate_by': definition.aggregate_by or definition.arrival,
        'time_kind': strandline._time_kind(definition, types),
        'arrival': definition.arrival,
        'arrival_type': types.get(definition.arrival | lower, 'bigint'),
        'event_id': definition.event_id,
        'buffer': definition.buffer,
        'arguments': arguments,
        'time_zone': definition.time_zone,
    }) -}}
{% endmacro %}

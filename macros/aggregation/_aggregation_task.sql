{#- What the materialization must know of an aggregation table, as plain data: it is also what is
    stored with the table, to be compared by the next run (rule: configuration is part of the state). -#}
{% macro _aggregation_task(definition, duration, feed) %}
    {%- set is_finest = definition.durations[0] == duration.name -%}
    {%- if is_finest -%}{%- do strandline._check_columns(definition, feed) -%}{%- endif -%}
    {{- return({
        'kind': 'aggregation',
        'aggregation': definition.name,
        'duration': duration.name,
        'feed': feed | string,
        'feed_name': feed.identifier,
        'feed_duration': none if is_finest else definition.durations[definition.durations.index(duration.name) - 1],
        'from_events': is_finest,
        'group_by': definition.group_by,
        'aggregate_by': definition.aggregate_by if is_finest else 'agg_timestamp',
        'arrival': definition.arrival if is_finest else 'agg_arrival',
        'time_zone': definition.time_zone,
        'parts': definition.parts,
    }) -}}
{% endmacro %}

{#- The body of one table of an aggregation, of one duration. See _macros.yml.
    The body says what the table is: the aggregate of all that its feed holds. How a run brings a
    stored table there, reading only what is new, is the materialization's part: it finds the
    task in the first line, because dbt renders body and materialization apart. -#}
{% macro aggregation_table(definition, duration) %}
    {%- do strandline._check_definition(definition, 'aggregation_table') -%}
    {%- set who = "aggregation_table of '" ~ definition.name ~ "'" -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'definition': [definition, ''],
        'duration': [duration, "write one of " ~ strandline._choices(definition.durations)],
    }) -%}
    {%- set duration = strandline._defined_duration(definition, duration, 'aggregation_table') -%}
    {%- set position = definition.durations.index(duration.name) -%}
    {%- set feed = definition.source if position == 0
        else ref(definition.name ~ '_' ~ definition.durations[position - 1]) -%}

    {{- config(
        materialized='strandline_summary',
        file_format='delta',
        unique_key=['agg_timestamp'] + definition.group_by,
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {%- set task = strandline._aggregation_task(definition, duration, feed) -%}
        {%- if position == 0 and (load_cached_relation(this) is none or should_full_refresh()) -%}
            {%- do strandline._check_expressions(definition, task) -%}
        {%- endif -%}
        {{- strandline._task_line(task) }}
{{ strandline._aggregation_rows(task) }}
    {%- endif -%}
{% endmacro %}

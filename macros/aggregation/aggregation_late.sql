{#- The body of the model of events that an aggregation cannot place in time, each with its reason.
    See _macros.yml. -#}
{% macro aggregation_late(definition) %}
    {{- config(materialized='strandline_summary', file_format='delta') -}}
    {%- if execute -%}
        {%- do strandline._check_columns(definition, definition.source) -%}
        {%- set task = {
            'kind': 'late',
            'aggregation': definition.name,
            'feed': definition.source | string,
            'feed_name': definition.source.identifier,
            'columns': strandline._columns_of(definition.source),
            'aggregate_by': definition.aggregate_by,
            'arrival': definition.arrival,
        } -%}
        {{- strandline._task_line(task) }}
{{ strandline._late_rows(task) }}
    {%- endif -%}
{% endmacro %}

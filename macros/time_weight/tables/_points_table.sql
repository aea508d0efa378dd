{#- The body of a table of summaries of points: what it holds of all that its source has. -#}
{% macro _points_table(task, source, faults) %}
    {%- do strandline._refuse(task.summary ~ '_table of ' ~ model.name, faults) -%}
    {{- config(
        materialized='strandline_summary',
        file_format='delta',
        unique_key=['agg_timestamp'] + task['keys'],
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {%- do strandline._check_points(task, source, task.summary ~ '_table of ' ~ model.name) -%}
        {{- strandline._task_line(task) }}
with points as (
    {{ strandline._bucketed_points(task) }}
)

{{ strandline._summarised_points(task, spread=true) }}
    {%- endif -%}
{% endmacro %}

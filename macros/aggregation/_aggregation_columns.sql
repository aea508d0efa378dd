{#- The columns of an aggregation table in their order, as a select list over aggregated rows. The
    arrival stands before the parts, however many they are: Delta keeps statistics of it. -#}
{% macro _aggregation_columns(task) -%}
    {%- set zones = task.parts | selectattr('column', 'equalto', 'agg_latest_timezone') | list -%}
    agg_timestamp,
    {{ "coalesce(agg_latest_timezone.value, '" ~ task.time_zone ~ "')" if zones else "'" ~ task.time_zone ~ "'" }} as agg_timezone,
    {%- for key in task.group_by %}
    {{ key }},
    {%- endfor %}
    agg_arrival,
    {%- for part in task.parts %}
    {{ part.column }},
    {%- endfor %}
    agg_partition
{%- endmacro %}

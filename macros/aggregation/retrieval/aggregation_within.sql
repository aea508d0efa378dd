{#- The rows of an aggregation in a stretch of time, computed from the stored parts. See _macros.yml. -#}
{% macro aggregation_within(definition, within, per, on=none) %}
    {%- set duration = strandline._defined_duration(definition, per, 'aggregation_within') -%}
    {%- set bounds = strandline._within_bounds(within, "aggregation_within of '" ~ definition.name ~ "'") -%}
    {%- set conditions = [
        'agg_timestamp >= timestamp_millis(' ~ bounds[0] ~ ')',
        'agg_timestamp < timestamp_millis(' ~ bounds[1] ~ ')',
    ] + (['(' ~ on ~ ')'] if on else []) -%}
(
    {{ strandline._retrieved_rows(definition, duration.name, conditions) }}
)
{%- endmacro %}

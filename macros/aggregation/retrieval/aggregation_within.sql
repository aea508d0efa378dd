{#- The rows of an aggregation in a stretch of time, computed from the stored parts. See _macros.yml. -#}
{% macro aggregation_within(definition, within, per, on=none) %}
    {%- set duration = strandline._defined_duration(definition, per, 'aggregation_within') -%}
    {%- set bounds = strandline._within_bounds(within, "aggregation_within of '" ~ definition.name ~ "'") -%}
(
    select
        agg_timestamp,
        agg_timezone
        {%- for key in definition.group_by %},
        {{ key }}
        {%- endfor %}
        {%- for output in definition.outputs %},
        {{ strandline._read_output(output) }} as {{ output.name }}
        {%- endfor %}
    from {{ ref(definition.name ~ '_' ~ duration.name) }}
    where agg_timestamp >= timestamp_millis({{ bounds[0] }})
        and agg_timestamp < timestamp_millis({{ bounds[1] }})
        {%- if on %}
        and ({{ on }})
        {%- endif %}
)
{%- endmacro %}

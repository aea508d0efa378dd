{#- The rows of an aggregation in a stretch of time, computed from the stored parts. See _macros.yml. -#}
{% macro aggregation_within(definition, within, per, on=none) %}
    {%- do strandline._check_definition(definition, 'aggregation_within') -%}
    {%- set who = "aggregation_within of '" ~ definition.name ~ "'" -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'definition': [definition, ''],
        'within': [within, "write a pair such as ['2014-02-15 00:00:00', '2014-03-16 00:00:00'] "
            ~ "or a pattern such as '2018-01-** **:**:**'"],
        'per': [per, "write one of " ~ strandline._choices(definition.durations)],
    }, ['on']) -%}
    {%- set duration = strandline._defined_duration(definition, per, 'aggregation_within') -%}
    {%- set bounds = strandline._within_bounds(within, who) -%}
    {%- set faults = [] -%}
    {%- if on is not none and (on is not string or not strandline._is_balanced(on)) -%}
        {%- do faults.append("`on` is '" ~ on ~ "'; write one SQL condition over the group "
            ~ "columns, such as \"symbol = 'IBM'\", "
            ~ "or leave it out") -%}
    {%- elif on -%}{%- do strandline._check_on(on, definition, faults) -%}{%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    {%- set conditions = [
        'agg_timestamp >= timestamp_millis(' ~ bounds[0] ~ ')',
        'agg_timestamp < timestamp_millis(' ~ bounds[1] ~ ')',
    ] + (['(' ~ on ~ ')'] if on else []) -%}
(
    {{ strandline._retrieved_rows(definition, duration.name, conditions) }}
)
{%- endmacro %}

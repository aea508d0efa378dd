{#- The final query of every detector: the rows of `classified` whose value is strictly beyond a
    bound, or equal to it where `at_lower` or `at_upper` is `=`, with the columns that all
    detections have. -#}
{% macro _detections(task, at_lower='', at_upper='') -%}
{%- set detector = strandline._literal(task.detector) -%}
{%- set next = '__position + ' ~ task.granularity.step ~ 'L' -%}
{%- set ends_at = strandline._bucket_number_start(next, task) -%}
select
    {{ strandline._row_id([detector] + strandline._all_quoted(task['keys'])
        + ['unix_micros(__start)']) }} as detection_id,
    {{ detector }} as detector,
    {%- for column in task['keys'] %}
    {{ strandline._quoted(column) }},
    {%- endfor %}
    __start as starts_at,
    {{ ends_at if task.is_ordered
        else strandline._checked_start(ends_at, '__start', task) }} as ends_at,
    __value as current_value,
    __baseline as baseline_value,
    cast({{ 'null' if task.severity is none else strandline._literal(task.severity) }} as string)
        as severity,
    {{ strandline._found_text(task, at_lower, at_upper) if task.description is none
        else strandline._literal(task.description) }} as description,
    {{ 'cast(null as bigint)' if task.arrival is none else '__arrival' }} as arrival,
    __lower as lower_bound,
    __upper as upper_bound
from __classified
where (__value <{{ at_lower }} __lower
    or __value >{{ at_upper }} __upper)
    {%- if task.until is not none %}
    and {{ ends_at }} <= {{ task.until }}
    {%- endif %}
{%- endmacro %}

{#- The columns that every detector yields beside its keys, in this order; `anomalies` reads them by
    default. Those of `detect` are in src/strandline/detection/definition.py. -#}
{% macro _detection_columns() %}
    {{- return(['detection_id', 'detector', 'starts_at', 'ends_at', 'current_value',
        'baseline_value',
        'severity', 'description', 'arrival']) -}}
{% endmacro %}

{#- What was found in words: `departures is 24, below 53.2`. -#}
{% macro _found_text(task, at_lower, at_upper) %}
    {%- set texts = {} -%}
    {%- for column in ['__value', '__lower', '__upper'] -%}
        {%- do texts.update({column: "regexp_replace(cast(round(" ~ column
            ~ ", 3) as string), '[.]0$', '')"}) -%}
    {%- endfor -%}
    {{- return('concat(' ~ strandline._literal(task.value ~ ' is ') ~ ', ' ~ texts.__value
        ~ ', if(__value <' ~ at_lower ~ ' __lower'
        ~ ", concat(', " ~ ('at or ' if at_lower) ~ "below ', " ~ texts.__lower
        ~ "), concat(', " ~ ('at or ' if at_upper) ~ "above ', " ~ texts.__upper
        ~ ')))') -}}
{% endmacro %}

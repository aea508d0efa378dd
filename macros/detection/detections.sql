{#- The final query of every detector: the rows of `classified` whose value is strictly beyond a
    bound, or equal to it with `inclusive`, with the columns that all detections have. -#}
{% macro _detections(task, inclusive=false) -%}
{%- set detector = strandline._literal(task.detector) -%}
{%- set or_equal = '=' if inclusive else '' -%}
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
    {{ strandline._found_text(task, or_equal) if task.description is none
        else strandline._literal(task.description) }} as description,
    {{ 'cast(null as bigint)' if task.arrival is none else '__arrival' }} as arrival,
    __lower as lower_bound,
    __upper as upper_bound
from __classified
where (__value <{{ or_equal }} __lower
    or __value >{{ or_equal }} __upper)
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
{% macro _found_text(task, or_equal) %}
    {%- set at_or = 'at or ' if or_equal else '' -%}
    {%- set texts = {} -%}
    {%- for column in ['__value', '__lower', '__upper'] -%}
        {%- do texts.update({column: "regexp_replace(cast(round(" ~ column
            ~ ", 3) as string), '[.]0$', '')"}) -%}
    {%- endfor -%}
    {{- return('concat(' ~ strandline._literal(task.value ~ ' is ') ~ ', ' ~ texts.__value
        ~ ', if(__value <' ~ or_equal ~ ' __lower'
        ~ ", concat(', " ~ at_or ~ "below ', " ~ texts.__lower
        ~ "), concat(', " ~ at_or ~ "above ', " ~ texts.__upper ~ ')))') -}}
{% endmacro %}

{#- The final query of every detector: the rows of `classified` whose value is strictly beyond a
    bound, or equal to it with `inclusive`, as rows that `strandline.anomalies` reads. -#}
{% macro _detections(task, inclusive=false) -%}
{%- set or_equal = '=' if inclusive else '' -%}
{%- set ends_at = strandline._bucket_number_start('strandline_position + ' ~ task.granularity.step ~ 'L', task) -%}
select
    {{ strandline._literal(task.detector) }} as detector,
    {%- for column in task['keys'] %}
    {{ column }},
    {%- endfor %}
    strandline_start as starts_at,
    {{ ends_at if task.is_ordered else strandline._checked_start(ends_at, 'strandline_start', task) }} as ends_at,
    strandline_value as current_value,
    strandline_baseline as baseline_value,
    strandline_lower as lower_bound,
    strandline_upper as upper_bound
from classified
where (strandline_value <{{ or_equal }} strandline_lower or strandline_value >{{ or_equal }} strandline_upper)
    {%- if task.until is not none %}
    and {{ ends_at }} <= {{ task.until }}
    {%- endif %}
{%- endmacro %}

{#- All detections under the names of the result, and whether they are to be ignored; NaN is a null. -#}
{% macro _detected(task) %}
    {%- set columns = task.columns -%}
    {%- for relation in task.settings.detections %}
select
    {{ task.key | join(', ') }}, {{ columns.start }} as starts_at, {{ columns.end }} as ends_at,
    {%- for name in ['current', 'baseline'] %}
    {{ "cast(null as double)" if columns[name] is none else "nullif(cast(" ~ columns[name] ~ " as double), double('NaN'))" }} as {{ name }}_value,
    {%- endfor %}
    cast({{ columns.severity or 'null' }} as string) as severity,
    {{ columns.labels or 'cast(null as string)' }} as labels,
    {{ 'false' if task.settings.ignored[loop.index0] is none
        else 'coalesce(' ~ task.settings.ignored[loop.index0] ~ ', false)' }} as is_ignored
from {{ relation }}
{%- if not loop.last %} union all{% endif -%}
    {%- endfor -%}
{% endmacro %}

{#- All rows of one aggregation table, from all that its feed holds: the body of a first build. -#}
{% macro _aggregation_rows(task) -%}
{% if task.from_events -%}
{{ strandline._events(task) }},

counted as (
    select * from placed where late_reason is null
),
{%- else -%}
with counted as (
    select {{ strandline._fed_columns(task) }} from (select * from {{ task.feed }}) as feed
),
{%- endif %}

buckets as (
{{ strandline._aggregation_buckets(task, 'counted', 'take' if task.from_events else 'roll', spread=true) }}
)

select
    {{ strandline._aggregation_columns(task) }}
from buckets
{%- endmacro %}

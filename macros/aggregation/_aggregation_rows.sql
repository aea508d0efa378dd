{#- The rows of one aggregation table: the feed aggregated by bucket and group columns.
    `condition` narrows the feed to what an incremental run has to look at. The feed is wrapped,
    because dbt gives it an alias of its own under `--empty` and `--sample`. -#}
{% macro _aggregation_rows(task, condition=none) %}
    {%- set kinds = strandline._parts() -%}
    {%- set unit = strandline._duration(task.duration).partition -%}
with buckets as (
    select
        {{ strandline.bucket_start(task.aggregate_by, task.duration, task.time_zone) }} as agg_timestamp
        {%- for key in task.group_by %},
        {{ key }}
        {%- endfor %}
        {%- for part in task.parts %},
        {{ kinds[part.kind].take.replace('{x}', part.argument) if task.from_events
            else kinds[part.kind].roll.replace('{x}', part.column) }} as {{ part.column }}
        {%- endfor %},
        max({{ strandline._arrival_of(task) }}) as agg_arrival
    from (select * from {{ task.feed }}) as feed
    where {{ task.aggregate_by }} is not null
        {%- if condition %}
        and {{ condition }}
        {%- endif %}
    group by {% for i in range(task.group_by | length + 1) %}{{ i + 1 }}{{ ', ' if not loop.last }}{% endfor %}
)

select
    agg_timestamp,
    '{{ task.time_zone }}' as agg_timezone
    {%- for key in task.group_by %},
    {{ key }}
    {%- endfor %}
    {%- for part in task.parts %},
    {{ part.column }}
    {%- endfor %},
    agg_arrival
    {%- if unit %},
    {{ strandline._partition_of('agg_timestamp', unit) }} as agg_partition
    {%- endif %}
from buckets
{%- endmacro %}

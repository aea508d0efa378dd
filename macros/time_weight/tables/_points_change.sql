{#- What is new for a table of summaries of points: the buckets that got new points, made anew from all their points; the other rows
    of the touched partitions stay. Literal bounds of time keep the source's other files closed. -#}
{% macro _points_change(relation, task, properties) %}
    {%- set consumed = strandline._stored_arrival(relation) -%}
    {%- set is_new = strandline._is_new(task, consumed) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(agg_bucket)', task.partition, 'UTC') -%}
    {%- set spans = run_query("select cast(" ~ partition ~ " as string), min(agg_bucket), max(agg_bucket) + " ~ task.bucket ~ " from ("
        ~ strandline._bucketed_points(task, is_new) ~ ") group by 1 order by 1").rows -%}
    {%- if not spans -%}{{- return(none) -}}{%- endif -%}

    {%- set touched, bounds = [], [] -%}
    {%- for span in spans -%}
        {%- do touched.append(span[0]) -%}
        {%- do bounds.append("feed." ~ task.ts ~ " >= timestamp_micros(" ~ span[1] ~ ") and feed." ~ task.ts ~ " < timestamp_micros(" ~ span[2] ~ ")") -%}
    {%- endfor -%}
    {%- set rows -%}
with touched as (
    select distinct agg_bucket{% for key in task['keys'] %}, {{ key }}{% endfor %}
    from (
    {{ strandline._bucketed_points(task, is_new) }}
    )
),

points as (
    select *
    from (
    {{ strandline._bucketed_points(task, '(' ~ bounds | join(' or ') ~ ')') }}
    ) as point
    where exists (select 1 from touched where touched.agg_bucket = point.agg_bucket
        {%- for key in task['keys'] %} and touched.{{ key }} <=> point.{{ key }}{% endfor %})
)

{{ strandline._summarised_points(task) }}
union all
select *
from {{ relation }} as stored
where {{ strandline._in_partitions(touched) }}
    and not exists (select 1 from touched where timestamp_micros(touched.agg_bucket) = stored.agg_timestamp
        {%- for key in task['keys'] %} and touched.{{ key }} <=> stored.{{ key }}{% endfor %})
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': touched, 'token': strandline._arrival_token(consumed)}) -}}
{% endmacro %}

{#- What is new for a table of summaries of points: the buckets that got new points, made anew from all their points; the other rows
    of the touched partitions stay. Literal bounds of time keep the source's other files closed. What arrives after the run asked what is
    new is left to the next one. -#}
{% macro _points_change(relation, task, properties) %}
    {%- set consumed = strandline._stored_arrival(relation) -%}
    {%- set is_new = strandline._is_new(task, consumed) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(agg_bucket)', task.partition, 'UTC') -%}
    {%- set span = "select " ~ partition ~ " as agg_partition, min(agg_bucket) as first, max(agg_bucket) + " ~ task.bucket ~ " as until, max(agg_arrival) as agg_arrival from ("
        ~ strandline._bucketed_points(task, is_new) ~ ") group by 1" -%}
    {%- set found = run_query("select to_json(sort_array(collect_list(struct(cast(agg_partition as string) as agg_partition, first, until)))), "
        ~ strandline._exact_text('max(agg_arrival)') ~ ", typeof(max(agg_arrival)) from (" ~ span ~ ")").rows[0] -%}
    {%- if found[1] is none -%}{{- return(none) -}}{%- endif -%}

    {%- set is_seen = "feed." ~ task.arrival ~ " <= " ~ strandline._typed_literal(found[1], found[2]) -%}
    {%- set touched, bounds = [], [] -%}
    {%- for span in fromjson(found[0]) -%}
        {%- do touched.append(span.agg_partition) -%}
        {%- do bounds.append("feed." ~ task.ts ~ " >= timestamp_micros(" ~ span.first ~ ") and feed." ~ task.ts ~ " < timestamp_micros(" ~ span.until ~ ")") -%}
    {%- endfor -%}
    {%- set rows -%}
with touched as (
    select distinct agg_bucket{% for key in task['keys'] %}, {{ key }}{% endfor %}
    from (
    {{ strandline._bucketed_points(task, (is_new ~ ' and ' if is_new else '') ~ is_seen) }}
    )
),

points as (
    select *
    from (
    {{ strandline._bucketed_points(task, is_seen ~ ' and (' ~ bounds | join(' or ') ~ ')') }}
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
    {{- return({'sql': rows, 'partitions': touched, 'consumed': consumed}) -}}
{% endmacro %}

{#- The properties that a new table of summaries is created with: statistics of the columns by which runs find what they need. -#}
{% macro _points_properties(task) %}
    {{- return({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'}) -}}
{% endmacro %}

{#- The rows of a table of summaries, from the CTE `points`. With `spread` the rows are dealt out by partition, so that each file
    is written once. What a summary is, and over which rows it is an aggregate, each kind says for itself:
    `_time_weight_summary`, `_state_agg_summary`. The group begins with the bucket, by which Spark's sort tells most rows apart. -#}
{% macro _summarised_points(task, spread=false) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(agg_bucket)', task.partition, 'UTC') -%}
    {%- set source = '(select *, ' ~ partition ~ ' as agg_partition from points distribute by agg_partition)' if spread
        else '(select *, ' ~ partition ~ ' as agg_partition from points)' -%}
    {%- set keys = (['agg_bucket'] + task['keys'] + ['agg_partition']) | join(', ') -%}
    {%- set made = strandline['_' ~ task.summary ~ '_summary'](task, source, keys) -%}
select
    timestamp_micros(agg_bucket) as agg_timestamp,
    {%- for key in task['keys'] %}
    {{ key }},
    {%- endfor %}
    max(agg_arrival) as agg_arrival,
    {{ made.summary }} as summary,
    agg_partition
from {{ made.rows }}
group by {{ keys }}
{%- endmacro %}

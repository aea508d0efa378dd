{#- The materialization of a table of summaries of points. A run recomputes the buckets with new
    points, and replaces their partitions in one commit. -#}
{% materialization strandline_points, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- if run.is_new -%}
        {%- set properties = {'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'} -%}
        {%- do strandline._create(run,
            strandline._create_table(this, run.task, compiled_code, properties)) -%}
    {%- else -%}
        {%- do strandline._write_change(this, strandline._points_change(this, run.task)) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The incremental change of a table of summaries of points: the buckets with new points,
    recomputed from all their points. The other rows of the changed partitions stay. Literal bounds
    of time skip the source's other files. Points that arrive after the first query of the run are
    left to the next run. -#}
{% macro _points_change(relation, task) %}
    {%- set watermark = strandline._watermark(relation) -%}
    {%- set is_new = strandline._is_new(task, watermark) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(agg_bucket)', task.partition,
        'UTC') -%}
    {%- set span = "select " ~ partition
        ~ " as agg_partition, min(agg_bucket) as first, max(agg_bucket) + " ~ task.bucket
        ~ " as until, max(agg_arrival) as agg_arrival from ("
        ~ strandline._bucketed_points(task, is_new) ~ ") group by 1" -%}
    {%- set found = run_query("select to_json(sort_array(collect_list(struct(cast(agg_partition as "
        ~ "string) as agg_partition, first, until)))), "
        ~ strandline._exact_text('max(agg_arrival)') ~ ", typeof(max(agg_arrival)) from (" ~ span
        ~ ")").rows[0] -%}
    {%- if found[1] is none -%}{{- return(none) -}}{%- endif -%}

    {%- set is_read = "upstream." ~ task.arrival ~ " <= "
        ~ strandline._typed_literal(found[1], found[2]) -%}
    {%- set partitions, bounds, time = [], [],
        'try_cast(upstream.' ~ task.ts ~ ' as timestamp)' -%}
    {%- for span in fromjson(found[0]) -%}
        {%- do partitions.append(span.agg_partition) -%}
        {%- do bounds.append(time ~ " >= timestamp_micros(" ~ span.first ~ ") and " ~ time
            ~ " < timestamp_micros(" ~ span.until ~ ")") -%}
    {%- endfor -%}
    {%- set rows -%}
with changed_buckets as (
    select distinct agg_bucket{% for key in task['keys'] %}, {{ key }}{% endfor %}
    from (
    {{ strandline._bucketed_points(task, (is_new ~ ' and ' if is_new else '') ~ is_read) }}
    )
),

points as (
    select *
    from (
    {{ strandline._bucketed_points(task, is_read ~ ' and (' ~ bounds | join(' or ') ~ ')') }}
    ) as point
    where exists (select 1 from changed_buckets where changed_buckets.agg_bucket = point.agg_bucket
        {%- for key in task['keys'] %}
            and changed_buckets.{{ key }} <=> point.{{ key }}{% endfor %})
)

{{ strandline._summarised_points(task) }}
union all
select *
from {{ relation }} as stored
where {{ strandline._in_partitions(partitions) }}
    and not exists (select 1 from changed_buckets
        where timestamp_micros(changed_buckets.agg_bucket) = stored.agg_timestamp
        {%- for key in task['keys'] %}
            and changed_buckets.{{ key }} <=> stored.{{ key }}{% endfor %})
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': partitions, 'watermark': watermark}) -}}
{% endmacro %}

{#- The rows of a table of summaries, from the CTE `points`. With `splits` the rows are distributed
    before they are grouped: see `_spread`. The group columns start with the bucket, which
    Spark's sort compares first and which differs most. -#}
{% macro _summarised_points(task, splits=none) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(agg_bucket)', task.partition,
        'UTC') -%}
    {%- set group = ['agg_bucket'] + task['keys'] -%}
    {%- set spread = ['agg_partition'] if splits is none
        else strandline._spread('agg_partition', group, splits) -%}
    {%- set distributed = '' if splits is none else ' distribute by ' ~ spread | join(', ') -%}
    {%- set source = '(select *, ' ~ partition ~ ' as agg_partition from points' ~ distributed
        ~ ')' -%}
    {%- set keys = (group + spread) | join(', ') -%}
    {%- set summary, rows = '', source -%}
    {%- if task.summary == 'time_weight' -%}
        {%- set summary = strandline._time_weight_summary(task) -%}
        {%- set rows = strandline._time_weight_rows(task, source, keys) -%}
    {%- elif task.summary == 'state_agg' -%}
        {%- set states = strandline._collected_states('timestamp_micros(agg_t)', 'agg_value') -%}
        {%- set summary = strandline._folded_states(states, task.gap, task.form == 'full') -%}
    {%- elif task.summary == 'heartbeat_agg' -%}
        {%- set summary = strandline._folded_heartbeats(
            'timestamp_micros(agg_t)', 'timestamp_micros(agg_bucket)', task.bucket,
            task.interval) -%}
    {%- endif -%}
select
    timestamp_micros(agg_bucket) as agg_timestamp,
    {%- for key in task['keys'] %}
    {{ key }},
    {%- endfor %}
    max(agg_arrival) as agg_arrival,
    count(*) as agg_count,
    {{ summary }} as summary,
    agg_partition
from {{ rows }}
group by {{ keys }}
{%- endmacro %}

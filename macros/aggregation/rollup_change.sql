{#- The incremental change of a roll-up: the changed_rows partitions, recomputed from the rows of
    the upstream table, so that they are always their exact merge. Buckets whose upstream rows have
    been purged keep their stored rows. -#}
{% macro _rollup_change(relation, task, properties, time_range) %}
    {%- set upstream = strandline._upstream_as_of_now(task) -%}
    {%- set duration = strandline._duration(task.duration) -%}
    {%- set watermark = strandline._watermark(relation) -%}
    {%- set is_changed = 'agg_arrival > ' ~ strandline._rollup_floor(task, watermark)
        if watermark else 'true' -%}
    {%- if time_range -%}
        {%- set is_changed = '(' ~ is_changed ~ ' or '
            ~ strandline._in_range(time_range, 'agg_timestamp') ~ ')' -%}
    {%- endif -%}
    {%- set bucket = strandline.bucket_start('agg_timestamp', task.duration, task.time_zone) -%}
    {%- set changed_rows = "select " ~ strandline._rollup_partition(task, bucket)
        ~ " as agg_partition, agg_arrival from (select * from " ~ upstream
        ~ ") as upstream where " ~ is_changed -%}
    {%- if time_range -%}
        {%- set changed_rows = changed_rows ~ " union all select agg_partition, agg_arrival from "
            ~ relation ~ " where " ~ strandline._in_range(time_range, 'agg_timestamp') -%}
    {%- endif -%}
    {%- set changed = strandline._changed_partitions(changed_rows) -%}
    {%- if not changed.partitions -%}{{- return(none) -}}{%- endif -%}
    {%- set latest = strandline._later_arrival(watermark, changed.latest_arrival) -%}

    {%- set purged_before = strandline._later_horizon(properties.get(
        'strandline.upstream_purged_before'), task.upstream
        if task.retention.get(task.upstream_duration) is not none else none) -%}
    {%- set rows -%}
with __upstream_rows as (
    select {{ strandline._upstream_columns(task) }}
    from (select * from {{ upstream }}) as upstream
    where {{ strandline._upstream_partitions(changed.partitions, duration.partition,
        strandline._duration(task.upstream_duration).partition, task.time_zone) }}
),

__buckets as (
{{ strandline._aggregation_buckets(task, '__upstream_rows', 'merge') }}
)

select
    {{ strandline._aggregation_columns(task) }}
from (select * except (agg_arrival), least(agg_arrival, {{ latest }}) as agg_arrival from __buckets)
where {{ strandline._in_partitions(changed.partitions) }}
    {%- if purged_before %}
    and agg_timestamp >= timestamp'{{ purged_before }}'
union all
select * from {{ relation }}
where {{ strandline._in_partitions(changed.partitions) }}
    and agg_timestamp < timestamp'{{ purged_before }}'
    {%- endif -%}
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': changed.partitions, 'watermark': watermark}) -}}
{% endmacro %}

{#- The upstream table as it is now, if rows of it are purged. Its horizon is read after this: rows
    that a purge deletes meanwhile are either here, or before the horizon. -#}
{% macro _upstream_as_of_now(task) %}
    {%- if task.retention.get(task.upstream_duration) is none or task.upstream.startswith('(') -%}
        {{- return(task.upstream) -}}
    {%- endif -%}
    {{- return(task.upstream ~ ' version as of ' ~ strandline._version_of(task.upstream)) -}}
{% endmacro %}

{#- The result of a query of changed rows, with the columns `agg_partition` and `agg_arrival`:
    `partitions`, distinct and sorted, as texts, and `latest_arrival`. Rows that arrive after the
    query are left to the next run, because their partitions are not known. -#}
{% macro _changed_partitions(query) %}
    {%- set row = run_query("select array_join(collect_set(cast(agg_partition as string)), ','), "
        ~ strandline._exact_text('max(agg_arrival)') ~ ", typeof(max(agg_arrival)) from (" ~ query
        ~ ")").rows[0] -%}
    {{- return({
        'partitions': (row[0] or '').split(',') | select | sort | list,
        'latest_arrival': strandline._typed_literal(row[1], row[2]),
    }) -}}
{% endmacro %}

{#- A literal predicate on the upstream partitions that keeps all rows of the buckets of the given
    partitions. If the UTC offset is constant near the edges, these are exactly the upstream
    partitions of the same days. -#}
{% macro _upstream_partitions(dates, unit, upstream_unit, time_zone) %}
    {%- set slack = 0 if strandline._has_constant_utc_offset(strandline._partition_spans(dates,
        unit), time_zone) else 1 -%}
    {%- set nests = upstream_unit == unit or (upstream_unit == 'month' and unit == 'year') -%}
    {%- set lead = 0 if nests and not slack
        else {'week': 6, 'month': 30, 'year': 365}[upstream_unit] -%}
    {%- set ranges = [] -%}
    {%- for first, last in strandline._partition_spans(dates, unit, slack) -%}
        {%- do ranges.append("agg_partition between date'"
            ~ (first - modules.datetime.timedelta(days=lead)) ~ "' and date'" ~ last ~ "'") -%}
    {%- endfor -%}
    {{- return('(' ~ ranges | join(' or ') ~ ')') -}}
{% endmacro %}

{#- Whether a time zone has a constant UTC offset for sixty hours before and after the edges of
    spans of days ([first, last] pairs of dates). Then a bucket that begins on a day contains only
    instants of that day. This need not hold at a change of a few minutes at midnight. -#}
{% macro _has_constant_utc_offset(spans, time_zone) %}
    {%- if time_zone == 'UTC' -%}{{- return(true) -}}{%- endif -%}
    {%- set edges = [] -%}
    {%- for first, last in spans -%}
        {%- do edges.extend(["date'" ~ first ~ "'", "date'" ~ last ~ "'"]) -%}
    {%- endfor -%}
    {%- set at = "unix_date(edge) * 86400L + hour * 3600L" -%}
    {%- set offset = "unix_seconds(" ~ strandline._local("timestamp_seconds(" ~ at ~ ")", time_zone)
        ~ ") - (" ~ at ~ ")" -%}
    {%- set query = "select forall(array(" ~ edges | join(', ')
        ~ "), edge -> size(array_distinct(transform(sequence(-60, 84), hour -> "
        ~ offset ~ "))) = 1)" -%}
    {{- return(run_query(query).rows[0][0]) -}}
{% endmacro %}

{#- What changes in a roll-up: the changed partitions, recomputed from the rows of its upstream table, so
    that they are always their exact merge. Buckets whose upstream rows have been purged stay as they
    are stored. -#}
{% macro _rollup_change(relation, task, properties, region) %}
    {%- set duration = strandline._duration(task.duration) -%}
    {%- set consumed = strandline._watermark(relation) -%}
    {%- set is_changed = 'agg_arrival > ' ~ consumed if consumed else 'true' -%}
    {%- if region -%}{%- set is_changed = '(' ~ is_changed ~ ' or ' ~ strandline._in_range(region, 'agg_timestamp') ~ ')' -%}{%- endif -%}
    {%- set bucket = strandline.bucket_start('agg_timestamp', task.duration, task.time_zone) -%}
    {%- set changed = "select " ~ strandline._rollup_partition(task, bucket) ~ " as agg_partition, agg_arrival from (select * from " ~ task.feed ~ ") as feed where " ~ is_changed -%}
    {%- if region -%}
        {%- set changed = changed ~ " union all select agg_partition, agg_arrival from " ~ relation ~ " where " ~ strandline._in_range(region, 'agg_timestamp') -%}
    {%- endif -%}
    {%- set touched = strandline._changed_partitions(changed) -%}
    {%- if not touched.partitions -%}{{- return(none) -}}{%- endif -%}
    {%- set latest = strandline._latest(consumed, touched.seen) -%}

    {%- set frozen = properties.get('strandline.feed_purged_before') -%}
    {%- set rows -%}
with counted as (
    select {{ strandline._upstream_columns(task) }}
    from (select * from {{ task.feed }}) as feed
    where {{ strandline._upstream_partitions(touched.partitions, duration.partition, strandline._duration(task.feed_duration).partition, task.time_zone) }}
),

buckets as (
{{ strandline._aggregation_buckets(task, 'counted', 'roll') }}
)

select
    {{ strandline._aggregation_columns(task) }}
from (select * except (agg_arrival), least(agg_arrival, {{ latest }}) as agg_arrival from buckets)
where {{ strandline._in_partitions(touched.partitions) }}
    {%- if frozen %}
    and agg_timestamp >= timestamp'{{ frozen }}'
union all
select * from {{ relation }}
where {{ strandline._in_partitions(touched.partitions) }}
    and agg_timestamp < timestamp'{{ frozen }}'
    {%- endif -%}
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': touched.partitions, 'watermark': consumed}) -}}
{% endmacro %}

{#- What a query of changes, with the columns `agg_partition` and `agg_arrival`, comes to: `partitions`, each
    once, as sorted texts, and the latest arrival as `seen`. What arrives after the query is left to
    the next run: its partitions are not known. -#}
{% macro _changed_partitions(query) %}
    {%- set row = run_query("select array_join(collect_set(cast(agg_partition as string)), ','), "
        ~ strandline._exact_text('max(agg_arrival)') ~ ", typeof(max(agg_arrival)) from (" ~ query ~ ")").rows[0] -%}
    {{- return({
        'partitions': (row[0] or '').split(',') | select | sort | list,
        'seen': strandline._typed_literal(row[1], row[2]),
    }) -}}
{% endmacro %}

{#- A literal predicate on a feed's partitions that keeps all rows from which the buckets of other partitions are
    made. Where clocks do not change near the partitions' edges, these are just the partitions
    of the same days. -#}
{% macro _upstream_partitions(dates, unit, feed_unit, time_zone) %}
    {%- set slack = 0 if strandline._has_constant_utc_offset(strandline._partition_spans(dates, unit), time_zone) else 1 -%}
    {%- set nests = feed_unit == unit or (feed_unit == 'month' and unit == 'year') -%}
    {%- set lead = 0 if nests and not slack else {'week': 6, 'month': 30, 'year': 365}[feed_unit] -%}
    {%- set ranges = [] -%}
    {%- for first, last in strandline._partition_spans(dates, unit, slack) -%}
        {%- do ranges.append("agg_partition between date'" ~ (first - modules.datetime.timedelta(days=lead)) ~ "' and date'" ~ last ~ "'") -%}
    {%- endfor -%}
    {{- return('(' ~ ranges | join(' or ') ~ ')') -}}
{% endmacro %}

{#- Whether a zone's clock keeps its offset for sixty hours before and after the edges of spans of days ([first,
    last] pairs of dates): then a bucket that begins on a day holds only instants of that day. At a
    change of some minutes at midnight it need not. -#}
{% macro _has_constant_utc_offset(spans, time_zone) %}
    {%- if time_zone == 'UTC' -%}{{- return(true) -}}{%- endif -%}
    {%- set edges = [] -%}
    {%- for first, last in spans -%}
        {%- do edges.extend(["date'" ~ first ~ "'", "date'" ~ last ~ "'"]) -%}
    {%- endfor -%}
    {%- set at = "unix_date(edge) * 86400L + hour * 3600L" -%}
    {%- set offset = "unix_seconds(" ~ strandline._local("timestamp_seconds(" ~ at ~ ")", time_zone) ~ ") - (" ~ at ~ ")" -%}
    {%- set question = "select forall(array(" ~ edges | join(', ') ~ "), edge -> size(array_distinct(transform(sequence(-60, 84), hour -> "
        ~ offset ~ "))) = 1)" -%}
    {{- return(run_query(question).rows[0][0]) -}}
{% endmacro %}

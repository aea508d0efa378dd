{#- The range of time whose buckets a run recomputes from the source, as [start, end) in Unix
    microseconds (end none: open); none if nothing is recomputed. It is the backfill range of
    `strandline run --from … --to …`, extended to the start of its first bucket, or the mutability
    period before the newest event. A roll-up counts the period back from the older of its own
    newest bucket and that of its upstream table. -#}
{% macro _recomputed_range(relation, task) %}
    {%- set backfill = strandline._backfill_range([strandline._run_setting('strandline_from'),
        strandline._run_setting('strandline_to')], 'aggregation ' ~ task.aggregation) -%}
    {%- if backfill -%}
        {%- if task.get('buffer') -%}
            {%- do strandline._refuse('aggregation ' ~ task.aggregation,
                ["a range of time cannot be recomputed with a buffer, because the bucket of an "
                ~ "event depends on all earlier arrivals; rebuild the whole table: `dbt build "
                ~ "--full-refresh --select " ~ task.aggregation ~ "_"
                ~ task.base_duration ~ "+`"]) -%}
        {%- endif -%}
        {{- return({'start': strandline._start_micros(strandline._micros_time(backfill.start),
            task), 'end': backfill.end, 'is_backfill': true}) -}}
    {%- endif -%}
    {%- if task.mutability_seconds is none -%}{{- return(none) -}}{%- endif -%}

    {%- if task.is_base -%}
        {%- set newest = "select max(agg_event_time) as newest from ("
            ~ strandline._timed_events(task) ~ ")" -%}
    {%- else -%}
        {%- set newest = "select least((select max(agg_timestamp) from " ~ task.upstream
            ~ "), (select max(agg_timestamp) from " ~ relation ~ ")) as newest" -%}
    {%- endif -%}
    {%- set start = strandline._start_micros("newest - interval " ~ task.mutability_seconds
        ~ " seconds", task, newest) -%}
    {{- return({'start': -62104060800000000 if start is none else start, 'end': none}) -}}
{% endmacro %}

{#- The start of the bucket that contains an instant, in Unix microseconds; none if the source has
    no row. -#}
{% macro _start_micros(ts, task, source='select 1') %}
    {%- set start = run_query("select cast(unix_micros("
        ~ strandline.bucket_start(ts, task.duration, task.time_zone)
        ~ ") as string) from (" ~ source ~ ")").rows[0][0] -%}
    {{- return(start if start is none else start | int) -}}
{% endmacro %}

{#- Whether a bucket begins in the recomputed range, and not before the time up to which rows have
    been purged. -#}
{% macro _in_range(time_range, ts) -%}
    ({{ ts }} >= timestamp_micros({{ time_range.start }})
        {%- if time_range.get('purged_before') %}
        and {{ ts }} >= timestamp'{{ time_range.purged_before }}'
        {%- endif %}
        {%- if time_range.end is not none %}
        and {{ ts }} < timestamp_micros({{ time_range.end }})
        {%- endif %})
{%- endmacro %}

{#- Fails a backfill if the source has fewer events of a bucket than the table has counted: after a
    retention of the source, the recomputation would remove them. The setting
    `strandline_accept_removed` removes them. Not for a mutability period, in which events may
    disappear. A table that does not count its events has seen at least one for each row. -#}
{% macro _check_removed_events(relation, task, time_range, watermark) %}
    {%- if not time_range.get('is_backfill') or watermark is none
        or strandline._run_setting('strandline_accept_removed') | string | lower == 'true' -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set is_counted = 'agg_count' in task.parts | map(attribute='column') | list -%}
    {%- set row = run_query(strandline._events(task) ~ " select count(*), sum(__counted), "
        ~ "sum(__held), min(__bucket), max(__bucket) from (select __bucket, sum(__counted) as "
        ~ "__counted, sum(__held) as __held from (select agg_timestamp as __bucket, "
        ~ ("agg_count" if is_counted else "1L") ~ " as __counted, 0L as __held from " ~ relation
        ~ " where "
        ~ strandline._in_range(time_range, 'agg_timestamp')
        ~ " union all select agg_event_bucket, 0L, 1L from __classified_events where late_reason "
        ~ "is null and agg_event_arrival <= " ~ watermark ~ " and "
        ~ strandline._in_range(time_range, 'agg_event_bucket')
        ~ ") group by __bucket) where __held < __counted").rows[0] -%}
    {%- if row[0] | int -%}
        {%- do strandline._refuse('aggregation ' ~ task.aggregation, [task.upstream_name ~ " has "
            ~ row[2] ~ " of the " ~ ("" if is_counted else "at least ") ~ row[1] ~ " events that "
            ~ relation.identifier ~ " has counted in " ~ row[0]
            ~ (" bucket" if row[0] | int == 1 else " buckets")
            ~ " of the range, from " ~ row[3] ~ " to " ~ row[4]
            ~ "; nothing was recomputed. If the others were removed by a retention, bring them "
            ~ "back or choose another range; if they are to be removed here, too, write "
            ~ "`strandline run --from … --to … --accept-removed`, or dbt's "
            ~ "`--vars '{strandline_accept_removed: true}'` beside those of the range"]) -%}
    {%- endif -%}
{% endmacro %}

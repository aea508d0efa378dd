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
            task), 'end': backfill.end}) -}}
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

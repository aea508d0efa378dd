{#- The stretch of time whose buckets a run computes anew from the source, as [start, end) in Unix
    microseconds (end none: open); none when there is no such stretch. It is named by hand
    (`strandline run --from … --to …`; it begins with the bucket that holds its start), or it is the mutability period before the newest event. A
    coarser table looks back from the older of its own newest bucket and its feed's. -#}
{% macro _recomputed_range(relation, task) %}
    {%- set by_hand = strandline._backfill_range([var('strandline_from', none), var('strandline_to', none)], 'aggregation ' ~ task.aggregation) -%}
    {%- if by_hand -%}
        {%- if task.get('buffer') -%}
            {%- do strandline._refuse('aggregation ' ~ task.aggregation, ["a stretch of time cannot be recomputed under a "
                ~ "buffer, because each event is judged by all that arrived before it; rebuild the whole: "
                ~ "`dbt build --full-refresh --select " ~ task.aggregation ~ "_" ~ task.finest ~ "+`"]) -%}
        {%- endif -%}
        {{- return({'start': strandline._start_micros(strandline._micros_time(by_hand.start), task), 'end': by_hand.end}) -}}
    {%- endif -%}
    {%- if task.mutability_seconds is none -%}{{- return(none) -}}{%- endif -%}

    {%- if task.from_events -%}
        {%- set newest = "select max(agg_event_time) as newest from (" ~ strandline._timed_events(task) ~ ")" -%}
    {%- else -%}
        {%- set newest = "select least((select max(agg_timestamp) from " ~ task.feed ~ "), (select max(agg_timestamp) from " ~ relation ~ ")) as newest" -%}
    {%- endif -%}
    {%- set start = strandline._start_micros("newest - interval " ~ task.mutability_seconds ~ " seconds", task, newest) -%}
    {{- return({'start': -62104060800000000 if start is none else start, 'end': none}) -}}
{% endmacro %}

{#- The start of a table's bucket that holds an instant, in Unix microseconds; none when there is none. -#}
{% macro _start_micros(ts, task, source='select 1') %}
    {%- set start = run_query("select cast(unix_micros(" ~ strandline.bucket_start(ts, task.duration, task.time_zone)
        ~ ") as string) from (" ~ source ~ ")").rows[0][0] -%}
    {{- return(start if start is none else start | int) -}}
{% endmacro %}

{#- Whether a bucket begins in the range of time that is recomputed, and not before what has been
    purged. -#}
{% macro _in_range(region, ts) -%}
    ({{ ts }} >= timestamp_micros({{ region.start }})
        {%- if region.get('purged_before') %}
        and {{ ts }} >= timestamp'{{ region.purged_before }}'
        {%- endif %}
        {%- if region.end is not none %}
        and {{ ts }} < timestamp_micros({{ region.end }})
        {%- endif %})
{%- endmacro %}

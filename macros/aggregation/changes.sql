{#- The incremental change of the base table: the rows of the changed slices, merged from the stored
    rows and those of the new events, and the other rows of the changed partitions. -#}
{% macro _events_change(relation, task, properties) %}
    {%- set watermark = strandline._watermark(relation) -%}
    {%- set counted = strandline._counted_state(relation, task, watermark) -%}
    {%- set is_new = strandline._is_new(task, counted.above if counted else watermark) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set state = dict(strandline._events_state(relation, task, is_new), counted=counted) -%}
    {%- set new_events = strandline._new_events(task, strandline._events(task, is_new, state),
        counted is not none) -%}
        {#- A model of the late events reports them itself, each once. -#}
    {%- set late = new_events.late if new_events.late.count and not strandline._has_late_model()
        else none -%}
    {%- if not new_events.partitions -%}
        {{- return({'late': late} if late else none) -}}
    {%- endif -%}

    {%- set in_partitions = strandline._in_partitions(new_events.partitions,
        strandline._width_of(task)) -%}
    {%- set is_changed = strandline._in_spans(new_events.spans, 'agg_timestamp') -%}
    {%- set latest = strandline._later_arrival(watermark if counted else none,
        new_events.latest_arrival) -%}
    {%- if task.keeps_arrivals -%}
        {%- do task.update({'read_above': strandline._less_lookback(task, latest)}) -%}
    {%- endif -%}
    {%- set rows -%}
{{ strandline._events(task, is_new, dict(state, until=latest)) }},

__counted_events as (
    select * from __classified_events
    where late_reason is null{% if counted %} and agg_event_is_new{% endif %}
),

__stored_and_new as (
    select * from {{ relation }} where {{ in_partitions }} and {{ is_changed }}
    union all
    select {{ strandline._aggregation_columns(task) }} from (
{{ strandline._aggregation_buckets(task, '__counted_events', 'partial') }}
    )
),

__buckets as (
{{ strandline._aggregation_buckets(task, '__stored_and_new', 'merge') }}
)

select
    {{ strandline._aggregation_columns(task) }}
from __buckets
union all
select * from {{ relation }} where {{ in_partitions }} and not {{ is_changed }}
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': new_events.partitions, 'is_replaced': in_partitions,
        'watermark': watermark, 'late': late}) -}}
{% endmacro %}

{#- What an incremental run needs to know of earlier events before it classifies new ones. With
    event ids: the range of ids in which to search for earlier events, and the last arrival of the
    new events (`until`). A later event is left to the next run, because earlier events of its id
    may lie outside the range. With a buffer: the newest bucket so far, read from the base table
    (`relation`; none for the table of late events, which stores it as a property). -#}
{% macro _events_state(relation, task, is_new) %}
    {%- set state = {} -%}
    {%- if not is_new -%}{{- return(state) -}}{%- endif -%}
    {%- if task.event_id -%}
        {%- set id = strandline._quoted(task.event_id) -%}
        {%- set row = run_query("select " ~ strandline._exact_text('first') ~ ", "
            ~ strandline._exact_text('last') ~ ", typeof(first), "
            ~ strandline._exact_text('until') ~ ", typeof(until) from (select min(" ~ id
            ~ ") as first, max(" ~ id ~ ") as last, max(" ~ strandline._quoted(task.arrival)
            ~ ") as until from (select * from " ~ task.upstream ~ ") as __upstream where "
            ~ is_new ~ ")").rows[0] -%}
        {%- do state.update({'until': strandline._typed_literal(row[3], row[4]) or 'null'}) -%}
        {%- if row[0] is not none -%}
            {%- do state.update({'ids': [strandline._typed_literal(row[0], row[2]),
                strandline._typed_literal(row[1], row[2])]}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if task.buffer and relation is not none -%}
        {%- set row = run_query("select cast(max(unix_seconds(agg_timestamp)) as string) from "
            ~ relation
            ~ " where agg_partition = (select max(agg_partition) from " ~ relation
            ~ ")").rows[0] -%}
        {%- if row[0] is not none -%}{%- do state.update({'newest': row[0] ~ 'L'}) -%}{%- endif -%}
    {%- endif -%}
    {{- return(state) -}}
{% endmacro %}

{#- The change of the base table if a range of time is recomputed from the source: the buckets of
    the range are recomputed from all current events of the source, and those without events are
    removed. New events outside of the range are merged with the stored rows, since the source may
    have lost the events of these. All other rows of the changed partitions stay, and so do rows
    whose events have been purged. The watermark may fall, if the events that arrived
    last were removed. No event is counted twice even then: an event above the watermark is in no
    stored row, because that row's arrival would be above it too. -#}
{% macro _recomputed_change(relation, task, properties, time_range) %}
    {%- set unit = strandline._width_of(task) -%}
    {%- set watermark = strandline._watermark(relation) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- do time_range.update({'purged_before': task.purged_before}) -%}
    {%- do strandline._check_removed_events(relation, task, time_range, watermark) -%}
    {%- set counted = strandline._counted_state(relation, task, watermark) -%}
    {%- set is_fresh = 'agg_event_is_new' if counted else 'agg_event_arrival > ' ~ watermark
        if watermark else 'true' -%}
    {%- set changed = strandline._changed_buckets(task,
        strandline._events(task, state={'counted': counted})
        ~ " select agg_event_bucket as __bucket, agg_event_arrival as agg_arrival from "
        ~ "__classified_events where late_reason is null and ("
        ~ is_fresh ~ " or " ~ strandline._in_range(time_range, 'agg_event_bucket') ~ ") union all "
        ~ "select agg_timestamp, agg_arrival from " ~ relation ~ " where "
        ~ strandline._in_range(time_range, 'agg_timestamp')) -%}
    {%- if not changed.partitions -%}{{- return(none) -}}{%- endif -%}

    {%- set latest = strandline._later_arrival(watermark, changed.latest_arrival) -%}
    {%- if task.keeps_arrivals -%}
        {%- do task.update({'read_above': strandline._less_lookback(task, latest)}) -%}
    {%- endif -%}
    {%- set rows -%}
{{ strandline._events(task, state={'until': latest, 'counted': counted}) }},

__in_range as (
    select *
    from __classified_events
    where late_reason is null and {{ strandline._in_range(time_range, 'agg_event_bucket') }}
),

__new_elsewhere as (
    select *
    from __classified_events
    where late_reason is null and {{ is_fresh }}
        and not {{ strandline._in_range(time_range, 'agg_event_bucket') }}
),

__stored_and_new as (
    select *
    from {{ relation }}
    where {{ strandline._in_partitions(changed.partitions, unit) }}
        and not {{ strandline._in_range(time_range, 'agg_timestamp') }}
    union all
    select {{ strandline._aggregation_columns(task) }} from (
{{ strandline._aggregation_buckets(task, '__new_elsewhere', 'partial') }}
    )
),

__elsewhere as (
{{ strandline._aggregation_buckets(task, '__stored_and_new', 'merge') }}
),

__buckets as (
{{ strandline._aggregation_buckets(task, '__in_range', 'partial') }}
)

select
    {{ strandline._aggregation_columns(task) }}
from __elsewhere
union all
select
    {{ strandline._aggregation_columns(task) }}
from __buckets
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': changed.partitions,
        'is_replaced': strandline._in_partitions(changed.partitions, unit),
        'watermark': watermark}) -}}
{% endmacro %}

{#- The later of two arrivals, as an expression; the first can be none. -#}
{% macro _later_arrival(one, other) %}
    {{- return('greatest(' ~ one ~ ', ' ~ other ~ ')' if one else other) -}}
{% endmacro %}

{#- The incremental change of a roll-up: the rows of the changed slices, recomputed from the rows of
    the upstream table, so that they are always their exact merge, and the other rows of the changed
    partitions. Buckets whose upstream rows have been purged keep their stored rows. -#}
{% macro _rollup_change(relation, task, properties, time_range) %}
    {%- set upstream = strandline._upstream_as_of_now(task) -%}
    {%- set watermark = strandline._watermark(relation) -%}
    {%- set is_changed = 'agg_arrival > ' ~ strandline._rollup_floor(task, watermark)
        if watermark else 'true' -%}
    {%- if time_range -%}
        {%- set is_changed = '(' ~ is_changed ~ ' or '
            ~ strandline._in_range(time_range, 'agg_timestamp') ~ ')' -%}
    {%- endif -%}
    {%- set bucket = strandline._bucket_of(task, 'agg_timestamp', task.duration) -%}
    {%- set changed_rows = "select " ~ bucket ~ " as __bucket, agg_arrival from (select * from "
        ~ upstream ~ ") as __upstream where " ~ is_changed -%}
    {%- if time_range -%}
        {%- set changed_rows = changed_rows ~ " union all select agg_timestamp, agg_arrival from "
            ~ relation ~ " where " ~ strandline._in_range(time_range, 'agg_timestamp') -%}
    {%- endif -%}
    {%- set changed = strandline._changed_buckets(task, changed_rows) -%}
    {%- if not changed.partitions -%}{{- return(none) -}}{%- endif -%}
    {%- set in_partitions = strandline._in_partitions(changed.partitions,
        strandline._width_of(task)) -%}
    {%- set is_recomputed = strandline._in_spans(changed.spans, 'agg_timestamp') -%}
    {%- set latest = strandline._later_arrival(watermark, changed.latest_arrival) -%}

    {%- set purged_before = strandline._later_horizon(properties.get(
        'strandline.upstream_purged_before'), task.upstream
        if task.retention.get(task.upstream_duration) is not none else none) -%}
    {%- set rows -%}
with __upstream_rows as (
    select {{ strandline._upstream_columns(task) }}
    from (select * from {{ upstream }}) as __upstream
    where {{ strandline._in_spans(changed.spans, 'agg_timestamp',
        strandline._longest_bucket(task.duration, task.time_zone)) }}
),

__buckets as (
{{ strandline._aggregation_buckets(task, '__upstream_rows', 'merge') }}
)

select
    {{ strandline._aggregation_columns(task) }}
from (select * except (agg_arrival), least(agg_arrival, {{ latest }}) as agg_arrival from __buckets)
where {{ in_partitions }} and {{ is_recomputed }}
    {%- if purged_before %} and agg_timestamp >= timestamp'{{ purged_before }}'{% endif %}
union all
select * from {{ relation }}
where {{ in_partitions }} and (not {{ is_recomputed }}
    {%- if purged_before %} or agg_timestamp < timestamp'{{ purged_before }}'{% endif %})
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': changed.partitions, 'is_replaced': in_partitions,
        'watermark': watermark}) -}}
{% endmacro %}

{#- The upstream table as it is now, if rows of it are purged. Its horizon is read after this: rows
    that a purge deletes meanwhile are either here, or before the horizon. -#}
{% macro _upstream_as_of_now(task) %}
    {%- if task.retention.get(task.upstream_duration) is none or task.upstream.startswith('(') -%}
        {{- return(task.upstream) -}}
    {%- endif -%}
    {{- return(task.upstream ~ ' version as of ' ~ strandline._version_of(task.upstream)) -}}
{% endmacro %}

{#- The result of a query of changed rows, with the columns `__bucket` and `agg_arrival`: the
    `partitions` of the table and the `spans` of time with such buckets, and `latest_arrival`. Rows
    that arrive after the query are left to the next run, because their buckets are not known. -#}
{% macro _changed_buckets(task, query) %}
    {%- set unit = strandline._width_of(task) -%}
    {%- set row = run_query("select " ~ strandline._partitions_text(
            strandline._partition_of('__bucket', unit, task.time_zone), unit) ~ ", "
        ~ strandline._slices_text('__bucket', unit) ~ ", "
        ~ strandline._exact_text('max(agg_arrival)') ~ ", typeof(max(agg_arrival)) from (" ~ query
        ~ ")").rows[0] -%}
    {{- return({
        'partitions': strandline._partitions_in(row[0], unit),
        'spans': strandline._slices_in(row[1], unit),
        'latest_arrival': strandline._typed_literal(row[2], row[3]),
    }) -}}
{% endmacro %}

{#- Seconds from the start of a bucket within which all its rows are. Where the UTC offset changes,
    a minute or an hour can be joined with a part of the one before, and a day with hours of
    another. -#}
{% macro _longest_bucket(duration, time_zone) %}
    {%- set unit = strandline._duration(duration) -%}
    {%- if time_zone == 'UTC' -%}{{- return(unit.longest.seconds) -}}{%- endif -%}
    {{- return(2 * unit.longest.seconds if unit.micros else unit.longest.seconds + 2 * 86400) -}}
{% endmacro %}

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
        ~ strandline._bucket_of(task, ts, task.duration)
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
    disappear. A table without a count of its events has at least one for each row. -#}
{% macro _check_removed_events(relation, task, time_range, watermark) %}
    {%- if not time_range.get('is_backfill') or watermark is none
        or strandline._run_setting('strandline_accept_removed') | string | lower == 'true' -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set is_counted = 'agg_count' in task.parts | map(attribute='column') | list -%}
    {%- set row = run_query(strandline._events(task) ~ " select count(*), sum(__counted), "
        ~ "sum(__received), min(__bucket), max(__bucket) from (select __bucket, sum(__counted) as "
        ~ "__counted, sum(__received) as __received from (select agg_timestamp as __bucket, "
        ~ ("agg_count" if is_counted else "1L") ~ " as __counted, 0L as __received from " ~ relation
        ~ " where "
        ~ strandline._in_range(time_range, 'agg_timestamp')
        ~ " union all select agg_event_bucket, 0L, 1L from __classified_events where late_reason "
        ~ "is null and agg_event_arrival <= " ~ watermark ~ " and "
        ~ strandline._in_range(time_range, 'agg_event_bucket')
        ~ ") group by __bucket) where __received < __counted").rows[0] -%}
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

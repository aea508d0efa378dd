{#- The incremental change of the base table: the rows of the changed partitions, merged from the
    stored rows and those of the new events. -#}
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
    select * from {{ relation }} where {{ strandline._in_partitions(new_events.partitions) }}
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
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': new_events.partitions, 'watermark': watermark,
        'late': late}) -}}
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
            ~ ") as until from (select * from " ~ task.upstream ~ ") as upstream where "
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
    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- set watermark = strandline._watermark(relation) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- do time_range.update({'purged_before': task.purged_before}) -%}
    {%- do strandline._check_removed_events(relation, task, time_range, watermark) -%}
    {%- set counted = strandline._counted_state(relation, task, watermark) -%}
    {%- set is_fresh = 'agg_event_is_new' if counted else 'agg_event_arrival > ' ~ watermark
        if watermark else 'true' -%}
    {%- set partition = strandline._partition_of('agg_event_bucket', unit, task.time_zone) -%}
    {%- set changed = strandline._changed_partitions(
        strandline._events(task, state={'counted': counted}) ~ " select " ~ partition
            ~ " as agg_partition, agg_event_arrival as agg_arrival from __classified_events where "
            ~ "late_reason is null and ("
        ~ is_fresh ~ " or " ~ strandline._in_range(time_range, 'agg_event_bucket') ~ ") union all "
        ~ "select agg_partition, agg_arrival from " ~ relation ~ " where "
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
    where {{ strandline._in_partitions(changed.partitions) }}
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
    {{- return({'sql': rows, 'partitions': changed.partitions, 'watermark': watermark}) -}}
{% endmacro %}

{#- The later of two arrivals, as an expression; the first can be none. -#}
{% macro _later_arrival(one, other) %}
    {{- return('greatest(' ~ one ~ ', ' ~ other ~ ')' if one else other) -}}
{% endmacro %}

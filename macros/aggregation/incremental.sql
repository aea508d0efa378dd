{#- What is new for the finest table: the rows of the touched partitions, stored ones and those of
    the new events added up. -#}
{% macro _events_change(relation, task, properties) %}
    {%- set consumed = strandline._watermark(relation) -%}
    {%- set is_new = strandline._is_new(task, consumed) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set state = strandline._events_state(relation, task, is_new) -%}
    {%- set found = strandline._new_events(task, strandline._events(task, is_new, state)) -%}
    {%- set touched = {'partitions': found.partitions, 'seen': found.seen} -%}
    {#- A model of the late events tells of them itself, each once. -#}
    {%- set late = found.late if found.late.count and not strandline._has_late_model() else none -%}
    {%- if not touched.partitions -%}{{- return({'late': late} if late else none) -}}{%- endif -%}

    {%- set rows -%}
{{ strandline._events(task, is_new, dict(state, until=touched.seen)) }},

counted as (
    select * from placed where late_reason is null
),

added as (
    select * from {{ relation }} where {{ strandline._in_partitions(touched.partitions) }}
    union all
    select {{ strandline._aggregation_columns(task) }} from (
{{ strandline._aggregation_buckets(task, 'counted', 'take') }}
    )
),

buckets as (
{{ strandline._aggregation_buckets(task, 'added', 'roll') }}
)

select
    {{ strandline._aggregation_columns(task) }}
from buckets
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': touched.partitions, 'watermark': consumed, 'late': late}) -}}
{% endmacro %}

{#- What an incremental run must know of the events before it judges new ones: with event ids, the
    range to search for earlier ones, and the last arrival it was asked for (`until`): an event that arrives later
    is left to the next run, because its own earlier ones may lie outside; with a buffer, the newest bucket so
    far, which the finest table itself holds (`relation`; none for the table of late events, which remembers it). -#}
{% macro _events_state(relation, task, is_new) %}
    {%- set state = {} -%}
    {%- if not is_new -%}{{- return(state) -}}{%- endif -%}
    {%- if task.event_id -%}
        {%- set row = run_query("select " ~ strandline._exact_text('first') ~ ", " ~ strandline._exact_text('last') ~ ", typeof(first), "
            ~ strandline._exact_text('until') ~ ", typeof(until) from (select min(" ~ task.event_id ~ ") as first, max(" ~ task.event_id
            ~ ") as last, max(" ~ task.arrival ~ ") as until from (select * from " ~ task.feed ~ ") as feed where " ~ is_new ~ ")").rows[0] -%}
        {%- do state.update({'until': strandline._typed_literal(row[3], row[4]) or 'null'}) -%}
        {%- if row[0] is not none -%}
            {%- do state.update({'ids': [strandline._typed_literal(row[0], row[2]), strandline._typed_literal(row[1], row[2])]}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if task.buffer and relation is not none -%}
        {%- set row = run_query("select cast(max(unix_seconds(agg_timestamp)) as string) from " ~ relation
            ~ " where agg_partition = (select max(agg_partition) from " ~ relation ~ ")").rows[0] -%}
        {%- if row[0] is not none -%}{%- do state.update({'newest': row[0] ~ 'L'}) -%}{%- endif -%}
    {%- endif -%}
    {{- return(state) -}}
{% endmacro %}

{#- What changes in the finest table when a range of time is recomputed from the source: its
    buckets are taken from the events that the source has now, and so are older ones that got new
    events; buckets whose events are gone disappear. All other rows of the changed partitions stay,
    and so do rows whose events have been purged. The watermark may fall here, when the last events
    to arrive are gone. No event counts twice then: an event above the watermark is in no stored
    row, or that row's arrival would be above it too. -#}
{% macro _recomputed_change(relation, task, properties, region) %}
    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- set consumed = strandline._watermark(relation) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- do region.update({'purged_before': task.purged_before}) -%}
    {%- set is_fresh = 'agg_event_arrival > ' ~ consumed if consumed else 'true' -%}
    {%- set partition = strandline._partition_of('agg_event_bucket', unit, task.time_zone) -%}
    {%- set touched = strandline._changed_partitions(
        strandline._events(task) ~ " select " ~ partition ~ " as agg_partition, agg_event_arrival as agg_arrival from placed where late_reason is null and ("
        ~ is_fresh ~ " or " ~ strandline._in_range(region, 'agg_event_bucket') ~ ")"
        ~ " union all select agg_partition, agg_arrival from " ~ relation ~ " where " ~ strandline._in_range(region, 'agg_timestamp')) -%}
    {%- if not touched.partitions -%}{{- return(none) -}}{%- endif -%}

    {%- set rows -%}
{{ strandline._events(task, state={'until': strandline._latest(consumed, touched.seen)}) }},

renewed as (
    select distinct agg_event_bucket as bucket
    from placed
    where late_reason is null and {{ is_fresh }}
),

counted as (
    select *
    from placed
    where late_reason is null
        and ({{ strandline._in_range(region, 'agg_event_bucket') }}
            or agg_event_bucket in (select bucket from renewed))
),

buckets as (
{{ strandline._aggregation_buckets(task, 'counted', 'take') }}
),

kept as (
    select *
    from {{ relation }} as stored
    where {{ strandline._in_partitions(touched.partitions) }}
        and not {{ strandline._in_range(region, 'agg_timestamp') }}
        and not exists (select 1 from renewed where renewed.bucket = stored.agg_timestamp)
)

select * from kept
union all
select
    {{ strandline._aggregation_columns(task) }}
from buckets
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': touched.partitions, 'watermark': consumed}) -}}
{% endmacro %}

{#- The later of two arrivals, as an expression; the first may be none. -#}
{% macro _latest(consumed, seen) %}
    {{- return('greatest(' ~ consumed ~ ', ' ~ seen ~ ')' if consumed else seen) -}}
{% endmacro %}

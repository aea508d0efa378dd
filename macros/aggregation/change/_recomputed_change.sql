{#- What changes in the finest table when a range of time is recomputed from the source: its
    buckets are taken from the events that the source has now, and so are older ones that got new
    events; buckets whose events are gone disappear. All other rows of the changed partitions stay,
    and so do rows whose events have been purged. The watermark may fall here, when the last events
    to arrive are gone. No event counts twice then: an event above the watermark is in no stored
    row, or that row's arrival would be above it too. -#}
{% macro _recomputed_change(relation, task, properties, region) %}
    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- set consumed = strandline._stored_arrival(relation) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- do region.update({'purged_before': task.purged_before}) -%}
    {%- set is_fresh = 'agg_event_arrival > ' ~ consumed if consumed else 'true' -%}
    {%- set partition = strandline._partition_of('agg_event_bucket', unit, task.time_zone) -%}
    {%- set touched = strandline._touched(
        strandline._events(task) ~ " select " ~ partition ~ " as agg_partition, agg_event_arrival as agg_arrival from placed where late_reason is null and ("
        ~ is_fresh ~ " or " ~ strandline._in_region(region, 'agg_event_bucket') ~ ")"
        ~ " union all select agg_partition, agg_arrival from " ~ relation ~ " where " ~ strandline._in_region(region, 'agg_timestamp')) -%}
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
        and ({{ strandline._in_region(region, 'agg_event_bucket') }}
            or agg_event_bucket in (select bucket from renewed))
),

buckets as (
{{ strandline._aggregation_buckets(task, 'counted', 'take') }}
),

kept as (
    select *
    from {{ relation }} as stored
    where {{ strandline._in_partitions(touched.partitions) }}
        and not {{ strandline._in_region(region, 'agg_timestamp') }}
        and not exists (select 1 from renewed where renewed.bucket = stored.agg_timestamp)
)

select * from kept
union all
select
    {{ strandline._aggregation_columns(task) }}
from buckets
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': touched.partitions, 'consumed': consumed}) -}}
{% endmacro %}

{#- What is new for a coarser table: the touched partitions, taken anew from the finer rows. Buckets
    whose finer rows have been purged stay as they are stored. After a run of its feed that had news, the table
    is presumed to be as far as the feed was before; only where the write has found that it is not
    (`task.asks`), the table is asked. -#}
{% macro _rollup_change(relation, task, properties) %}
    {%- set duration = strandline._duration(task.duration) -%}
    {%- set region = strandline._region(relation, task) -%}
    {%- set told = none if region else strandline._touched_by_feed(task) -%}
    {%- set presumes = relation.identifier ~ ' is not as far as its feed was' if told and told.partitions and told.consumed and not task.asks else none -%}
    {%- set consumed = told.consumed if presumes else strandline._stored_arrival(relation) -%}
    {%- set is_changed = 'agg_arrival > ' ~ consumed if consumed else 'true' -%}
    {%- if region -%}{%- set is_changed = '(' ~ is_changed ~ ' or ' ~ strandline._in_region(region, 'agg_timestamp') ~ ')' -%}{%- endif -%}
    {%- set changed = "select " ~ strandline._rolled_partition(task) ~ " as agg_partition, agg_arrival from (select * from " ~ task.feed ~ ") as feed where " ~ is_changed -%}
    {%- if region -%}
        {%- set changed = changed ~ " union all select agg_partition, agg_arrival from " ~ relation ~ " where " ~ strandline._in_region(region, 'agg_timestamp') -%}
    {%- endif -%}
    {%- set touched = told if told and told.consumed == consumed else strandline._touched(changed) -%}
    {#- Where this table looks back, the coarser ones do too, and ask. -#}
    {%- if not region -%}{%- do strandline._note('touched ' ~ relation, dict(touched, consumed=consumed)) -%}{%- endif -%}
    {%- if not touched.partitions -%}{{- return(none) -}}{%- endif -%}
    {%- set latest = strandline._latest(consumed, touched.seen) -%}

    {%- set frozen = properties.get('strandline.feed_purged_before') -%}
    {%- set rows -%}
with counted as (
    select {{ strandline._fed_columns(task) }}
    from (select * from {{ task.feed }}) as feed
    where {{ strandline._touching_partitions(touched.partitions, duration.partition, strandline._duration(task.feed_duration).partition, task.time_zone) }}
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
    {{- return({'sql': rows, 'partitions': touched.partitions, 'consumed': consumed, 'presumes': presumes}) -}}
{% endmacro %}

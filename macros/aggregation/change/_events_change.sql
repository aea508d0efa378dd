{#- What is new for the finest table: the rows of the touched partitions, stored ones and those of
    the new events added up. -#}
{% macro _events_change(relation, task, properties) %}
    {%- set region = strandline._region(relation, task) -%}
    {%- if region -%}{{- return(strandline._recomputed_change(relation, task, properties, region)) -}}{%- endif -%}

    {%- set consumed = strandline._stored_arrival(relation) -%}
    {%- set is_new = strandline._is_new(task, consumed) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set state = strandline._events_state(relation, task, is_new) -%}
    {%- set partition = strandline._partition_of('agg_event_bucket', strandline._duration(task.duration).partition, task.time_zone) -%}
    {%- set touched = strandline._touched(strandline._events(task, is_new, state)
        ~ " select " ~ partition ~ " as agg_partition, agg_event_arrival as agg_arrival from placed where late_reason is null") -%}
    {%- do strandline._note('touched ' ~ relation, dict(touched, consumed=consumed)) -%}
    {%- if not touched.partitions -%}{{- return(none) -}}{%- endif -%}

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
    {{- return({'sql': rows, 'partitions': touched.partitions, 'consumed': consumed}) -}}
{% endmacro %}

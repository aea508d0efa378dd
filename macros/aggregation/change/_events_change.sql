{#- What is new for the finest table: the rows of the touched partitions, stored ones and those of
    the new events added up. -#}
{% macro _events_change(relation, task, properties) %}
    {%- set region = strandline._region(relation, task) -%}
    {%- if region -%}{{- return(strandline._recomputed_change(relation, task, properties, region)) -}}{%- endif -%}

    {%- set consumed = strandline._stored_arrival(relation) -%}
    {%- set is_new = strandline._is_new(task, consumed) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set events = strandline._events(task, is_new, strandline._events_state(relation, task, is_new)) -%}
    {%- set partition = strandline._partition_of('agg_event_bucket', strandline._duration(task.duration).partition, task.time_zone) -%}
    {%- set touched = strandline._partitions_in(events ~ " select " ~ partition ~ " as agg_partition from placed where late_reason is null") -%}
    {%- if not touched -%}{{- return(none) -}}{%- endif -%}

    {%- set rows -%}
{{ events }},

counted as (
    select * from placed where late_reason is null
),

added as (
    select * from {{ relation }} where {{ strandline._in_partitions(touched) }}
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
    {{- return({'sql': rows, 'partitions': touched, 'token': strandline._arrival_token(consumed)}) -}}
{% endmacro %}

{#- What is new for the finest table: the rows of the touched partitions, stored ones and those of
    the new events added up. -#}
{% macro _events_change(relation, task, properties) %}
    {%- set region = strandline._region(relation, task) -%}
    {%- if region -%}{{- return(strandline._recomputed_change(relation, task, properties, region)) -}}{%- endif -%}

    {%- set consumed = strandline._stored_arrival(relation) -%}
    {%- set is_new = strandline._is_new(task, consumed) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set state = strandline._events_state(relation, task, is_new) -%}
    {%- set found = strandline._new_events(task, strandline._events(task, is_new, state)) -%}
    {%- set touched = {'partitions': found.partitions, 'seen': found.seen} -%}
    {%- do strandline._note('touched ' ~ relation, dict(touched, consumed=consumed)) -%}
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
    {{- return({'sql': rows, 'partitions': touched.partitions, 'consumed': consumed, 'late': late}) -}}
{% endmacro %}

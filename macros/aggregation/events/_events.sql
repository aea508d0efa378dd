{#- The events of an aggregation, each judged, as CTEs that end in `placed`: `agg_event_bucket` is
    where an event counts, and `late_reason` says why it counts nowhere, beside the source's own
    columns. `is_new` narrows them to what an incremental run has to look at; `state` is what is
    known of those before (ids: the range of the new event ids, newest: the newest bucket), and
    until which arrival they are taken (until). -#}
{% macro _events(task, is_new=none, state={}) -%}
    {%- set judged = 'copies' if task.event_id else 'timed' -%}
with timed as (
    {{ strandline._timed_events(task, strandline._events_scope(task, is_new, state)) }}
),

{% if task.event_id -%}
copies as (
    {{ strandline._copies(task, is_new) }}
),

{% endif -%}
{% if task.buffer -%}
{{ strandline._newest_before(task, judged, state.get('newest')) }},

{% endif -%}
placed as (
    select
        *,
        {{ strandline._event_bucket(task) }} as agg_event_bucket,
        {{ strandline._late_reason(task) }} as late_reason
    from {{ 'judged' if task.buffer else judged }}
)
{%- endmacro %}

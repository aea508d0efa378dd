{#- Of each incident at hand: when and as what it was told, or is now, with what is stored of its
    parent and of the anomaly that it is named after. A family of two or more is told as its parent
    (`root_id`), and an incident that had a parent keeps it, down to one. An incident is told once, and
    once more when it is over (`completed`), unless it is quiet: someone has given feedback to it, it
    is too short, or it lies before the look-back. The look-back does not silence the end of what was
    told, in the run whose mark is the first to pass it: one that is shorter than the gap would silence
    every end. -#}
{% macro _told(task, run, stored, regrouped) %}
{%- set settings = task.settings -%}
{%- set columns = task.key + ['alone_id', 'family_size', 'starts_at', 'ends_at', 'family_values',
    'replaced_parent'] -%}
{%- set parent_id = strandline._parent_id('incident_id') -%}
{%- set kept = 'struct(' ~ strandline._anomaly_row(task, 'kept') ~ ')' -%}
{%- set now = "named_struct('at', " ~ run.run_at ~ ", 'anomaly_id', root_id)" -%}
{%- set is_over, is_old, ends_now = 'false', 'false', 'true' -%}
{%- if settings.completed and run.mark is not none -%}
    {%- set is_over = 'ends_at <= ' ~ strandline._micros_time(run.mark - task.merge_max_gap) -%}
    {%- if run.mark_before is not none -%}
        {%- set ends_now = 'ends_at > ' ~ strandline._micros_time(run.mark_before - task.merge_max_gap) -%}
    {%- endif -%}
{%- endif -%}
{%- if run.mark is not none and settings.notify_look_back is not none -%}
    {%- set is_old = 'ends_at <= ' ~ strandline._micros_time(run.mark - settings.notify_look_back) -%}
{%- endif -%}
with incidents as (
    {{ strandline._incidents_at_hand(task, regrouped) }}
),
named as (
    select *, explode(array_distinct(array(incident_id, alone_id, {{ parent_id }}))) as name
    from incidents
),
known as (
    select
        named.incident_id,
        {% for column in columns %}first(named.{{ column }}) as {{ column }}, {% endfor %}
        first(if(kept.anomaly_id = named.incident_id, {{ kept }}, null), true) as eldest,
        first(if(kept.is_parent and named.family_size > 0, {{ kept }}, null), true) as parent,
        {%- if settings.feedback %}
        count_if(
            feedback.anomaly_id is not null
            and named.name in (named.incident_id, {{ strandline._parent_id('named.incident_id') }})
        ) > 0 as is_silenced,
        count_if(feedback.anomaly_id is not null) > 0 as is_silenced_alone
        {%- else %}
        false as is_silenced, false as is_silenced_alone
        {%- endif %}
    from named
    left join (
        select * from ({{ stored }}) as kept left semi join named on kept.anomaly_id = named.name
    ) as kept on named.name = kept.anomaly_id
    {%- if settings.feedback %}
    left join (select distinct anomaly_id from {{ settings.feedback }}) as feedback on named.name = feedback.anomaly_id
    {%- endif %}
    group by named.incident_id
),
asked as (
    select
        * except (is_silenced, is_silenced_alone),
        if(family_size > 1 or parent is not null, {{ parent_id }}, alone_id) as root_id,
        eldest.told is not null or eldest.notified_at is not null as was_told,
        {{ is_old }} as is_old, {{ ends_now }} as ends_now,
        is_silenced or parent is null and is_silenced_alone
            or unix_micros(ends_at) - unix_micros(starts_at) < {{ settings.min_length }} as is_quiet
    from ({{ strandline._with_replaced_parents(stored, regrouped) }})
)
select
    * except (was_told, is_old, ends_now, is_quiet),
    coalesce(eldest.told, if(was_told or is_quiet or is_old, null, {{ now }})) as told,
    coalesce(
        eldest.told_completed,
        if({{ is_over }} and not is_quiet and (not is_old or was_told and ends_now), {{ now }}, null)
    ) as told_completed,
    was_told or not (is_quiet or is_old) as is_told
from asked
{%- endmacro %}

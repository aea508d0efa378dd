{#- Of each incident at hand: when and as what it was told, or is now, with what is stored of its parent and of the anomaly
    that it is named after. An incident is told once, and once more when it is over (`completed`), unless it is quiet: someone
    has given feedback to it, it is too short, or it lies before the look-back. -#}
{% macro _told(task, run, stored, regrouped) %}
{%- set settings = task.settings -%}
{%- set columns = task.key + ['root_id', 'family_size', 'starts_at', 'ends_at', 'worst', 'replaced_parent'] -%}
{%- set kept = 'struct(' ~ strandline._anomaly_row(task, 'kept') ~ ')' -%}
{%- set now = "named_struct('at', " ~ run.run_at ~ ", 'anomaly_id', root_id)" -%}
{%- set is_over, is_old = 'false', 'false' -%}
{%- if settings.completed and run.mark is not none -%}
    {%- set is_over = 'ends_at <= ' ~ strandline._micros_time(run.mark - task.merge_max_gap) -%}
{%- endif -%}
{%- if run.mark is not none and settings.notify_look_back is not none -%}
    {%- set is_old = 'ends_at <= ' ~ strandline._micros_time(run.mark - settings.notify_look_back) -%}
{%- endif -%}
with incidents as (
    {{ strandline._incidents_at_hand(task, regrouped) }}
),
named as (
    select *, explode(array_distinct(array(incident_id, root_id, {{ strandline._parent_id('incident_id') }}))) as name
    from incidents
),
known as (
    select
        named.incident_id,
        {% for column in columns %}first(named.{{ column }}) as {{ column }}, {% endfor %}
        first(if(kept.anomaly_id = named.incident_id, {{ kept }}, null), true) as eldest,
        first(if(kept.is_parent and named.family_size > 1, {{ kept }}, null), true) as parent,
        {{ 'count(feedback.anomaly_id) > 0' if settings.feedback else 'false' }} as is_silenced
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
        *,
        eldest.told is not null or eldest.notified_at is not null as was_told,
        is_silenced or {{ is_old }} or unix_micros(ends_at) - unix_micros(starts_at) < {{ settings.min_length }} as is_quiet
    from ({{ strandline._with_replaced_parents(stored, regrouped) }})
)
select
    * except (is_silenced, was_told, is_quiet),
    coalesce(eldest.told, if(was_told or is_quiet, null, {{ now }})) as told,
    coalesce(eldest.told_completed, if({{ is_over }} and not is_quiet, {{ now }}, null)) as told_completed,
    was_told or not is_quiet as is_told
from asked
{%- endmacro %}

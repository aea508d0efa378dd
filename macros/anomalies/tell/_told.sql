{#- Of each incident at hand: when and as what it was told, or is now, with what is stored of its parent and of the anomaly
    that it is named after. An incident is told once, and once more when it is over (`completed`), unless it is quiet: someone
    has given feedback to it, it is too short, or it lies before the look-back. -#}
{% macro _told(task, run, stored, regrouped) %}
{%- set settings = task.settings -%}
{%- set now = "named_struct('at', " ~ run.run_at ~ ", 'anomaly_id', root_id)" -%}
{%- set is_over, is_old = 'false', 'false' -%}
{%- if settings.completed and run.mark is not none -%}
    {%- set is_over = 'ends_at <= ' ~ strandline._micros_time(run.mark - task.merge_max_gap) -%}
{%- endif -%}
{%- if run.mark is not none and settings.notify_look_back is not none -%}
    {%- set is_old = 'incident.ends_at <= ' ~ strandline._micros_time(run.mark - settings.notify_look_back) -%}
{%- endif -%}
with incidents as (
    {{ strandline._incidents_at_hand(task, regrouped) }}
),
known as (
    select kept.*
    from ({{ stored }}) as kept
    left semi join (select explode(array(incident_id, root_id)) as anomaly_id from incidents) as wanted
        on kept.anomaly_id = wanted.anomaly_id
),
replaced as (
    {{ strandline._replaced_parents(stored, regrouped) }}
),
{%- if settings.feedback %}
silenced as (
    select distinct named.incident_id
    from (
        select incident_id, explode(array(root_id, incident_id, {{ strandline._parent_id('incident_id') }})) as anomaly_id
        from incidents
    ) as named
    left semi join {{ settings.feedback }} as feedback on named.anomaly_id = feedback.anomaly_id
),
{%- endif %}
asked as (
    select
        incident.*, replaced.parent_id as replaces, parent.parent, eldest.eldest,
        eldest.eldest.told is not null or eldest.eldest.notified_at is not null as was_told,
        unix_micros(incident.ends_at) - unix_micros(incident.starts_at) < {{ settings.min_length }} or {{ is_old }}
        {%- if settings.feedback %} or silenced.incident_id is not null{% endif %} as is_quiet
    from incidents as incident
    left join (select anomaly_id, struct({{ strandline._anomaly_row(task, 'known') }}) as eldest from known) as eldest
        on incident.incident_id = eldest.anomaly_id
    left join (select anomaly_id, struct({{ strandline._anomaly_row(task, 'known') }}) as parent from known where is_parent) as parent
        on incident.root_id = parent.anomaly_id
    left join replaced on incident.incident_id = replaced.incident_id
    {%- if settings.feedback %}
    left join silenced on incident.incident_id = silenced.incident_id
    {%- endif %}
)
select
    * except (was_told, is_quiet),
    coalesce(eldest.told, if(was_told or is_quiet, null, {{ now }})) as told,
    coalesce(eldest.told_completed, if({{ is_over }} and not is_quiet, {{ now }}, null)) as told_completed,
    was_told or not is_quiet as is_told
from asked
{%- endmacro %}

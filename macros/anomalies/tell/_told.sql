{#- Of each incident at hand: when and as what it was told, or is now. An incident is told once, and once more when it is over
    (`completed`), unless it is quiet: someone has given feedback to it, it is too short, or it lies before the look-back. -#}
{% macro _told(task, run) %}
{%- set settings = task.settings -%}
{%- set now = 'named_struct(\'at\', ' ~ run.run_at ~ ', \'anomaly_id\', root_id)' -%}
{%- set is_over = 'false' -%}
{%- if settings.completed and run.mark is not none -%}
    {%- set is_over = 'ends_at <= ' ~ strandline._micros_time(run.mark - task.merge_max_gap) -%}
{%- endif -%}
{%- set is_old = 'false' -%}
{%- if run.mark is not none and settings.notify_look_back is not none -%}
    {%- set is_old = 'ends_at <= ' ~ strandline._micros_time(run.mark - settings.notify_look_back) -%}
{%- endif -%}
select
    incident_id, root_id,
    coalesce(told, if(was_told or is_quiet, null, {{ now }})) as told,
    coalesce(told_completed, if({{ is_over }} and not is_quiet, {{ now }}, null)) as told_completed,
    was_told or not is_quiet as is_told
from (
    select
        incident.*, eldest.told, eldest.told_completed,
        coalesce(eldest.told is not null or eldest.notified_at is not null, false) as was_told,
        unix_micros(incident.ends_at) - unix_micros(incident.starts_at) < {{ settings.min_length }} or {{ is_old.replace('ends_at', 'incident.ends_at') }}
        {%- if settings.feedback %} or silenced.incident_id is not null{% endif %} as is_quiet
    from incidents as incident
    left join known as eldest on incident.incident_id = eldest.anomaly_id
    {%- if settings.feedback %}
    left join (
        select distinct named.incident_id
        from (
            select
                incident_id,
                explode(array(root_id, incident_id, {{ strandline._parent_id('incident_id') }})) as anomaly_id
            from incidents
        ) as named
        left semi join {{ settings.feedback }} as feedback on named.anomaly_id = feedback.anomaly_id
    ) as silenced on incident.incident_id = silenced.incident_id
    {%- endif %}
)
{%- endmacro %}

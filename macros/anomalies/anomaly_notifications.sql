{#- The outbox of a table of anomalies: a view of what was told. See _macros.yml. -#}
{% macro anomaly_notifications(relation) %}
    {%- if relation is string or relation is none -%}
        {%- do strandline._refuse('anomaly_notifications', ["`relation` is '" ~ relation ~ "'; write ref('" ~ relation
            ~ "'), the model that calls strandline.anomalies"]) -%}
    {%- endif %}
select
    sha2(concat(note.incident_id, ' ', note.kind), 256) as notification_key,
    note.incident_id,
    note.kind,
    note.told.at as told_at,
    shown.* except (incident_id, told, told_completed, ends_month)
from (
    select named.anomaly_id as incident_id, inline(array(
        struct('new' as kind, named.told as told), struct('completed' as kind, named.told_completed as told)
    ))
    from {{ relation }} as named
) as note
inner join {{ relation }} as shown on note.told.anomaly_id = shown.anomaly_id
where note.told is not null
{% endmacro %}

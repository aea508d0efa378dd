{#- Of each family's parent the one that it replaces when it is new: the parent of what the incident's anomaly replaced, if it is
    outdated by now, be it that this run outdates it. -#}
{% macro _replaced_parents(stored, regrouped) %}
select candidate.incident_id, candidate.parent_id
from (
    select incident.incident_id, coalesce(incident.replaced_parent, before.parent_id) as parent_id
    from incidents as incident
    left join known as eldest on incident.incident_id = eldest.anomaly_id
    left join ({{ stored }}) as before on eldest.replaces = before.anomaly_id
    where incident.family_size > 1
) as candidate
left anti join incidents as going_on on candidate.parent_id = going_on.root_id and going_on.family_size > 1
inner join ({{ stored }}) as parent on candidate.parent_id = parent.anomaly_id
left join {{ regrouped }} as reached on candidate.parent_id = reached.anomaly_id and reached.kind = 'parent'
where parent.status = 'outdated' or reached.anomaly_id is not null
{%- endmacro %}

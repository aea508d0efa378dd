{#- Each incident with the parent that its own replaces when it is new: the parent of what the incident's anomaly replaced,
    if it is outdated by now, be it that this run outdates it. -#}
{% macro _with_replaced_parents(stored, regrouped) %}
select
    candidate.*,
    if(going_on.parent_id is null and (outdated.anomaly_id is not null or reached.anomaly_id is not null), candidate.candidate_id, null) as replaces
from (
    select known.*, coalesce(known.replaced_parent, before.parent_id) as candidate_id
    from known
    left join (select anomaly_id, parent_id from ({{ stored }}) where status = 'outdated' and parent_id is not null) as before
        on known.eldest.replaces = before.anomaly_id and known.family_size > 1
) as candidate
left join (
    select distinct {{ strandline._parent_id('incident_id') }} as parent_id
    from {{ regrouped }}
    where kind = 'leaf'
) as going_on on candidate.candidate_id = going_on.parent_id
left join (select anomaly_id from {{ regrouped }} where kind = 'parent') as reached on candidate.candidate_id = reached.anomaly_id
left join (select anomaly_id from ({{ stored }}) where status = 'outdated' and is_parent) as outdated
    on candidate.candidate_id = outdated.anomaly_id
{%- endmacro %}

{#- What a run has grouped anew, and what is pending, one row an incident: `root_id` is what it is told as, its parent or, of one, itself. -#}
{% macro _incidents_at_hand(task, regrouped) %}
select
    incident_id, first(coalesce(parent_id, anomaly_id)) as root_id, max(if(kind = 'leaf', family_size, 0)) as family_size,
    {% for column in task.key %}first({{ column }}) as {{ column }}, {% endfor %}first(family_starts_at) as starts_at,
    first(family_ends_at) as ends_at, first(worst) as worst,
    max(replaced_parent) filter (where anomaly_id = incident_id) as replaced_parent
from {{ regrouped }}
where kind = 'leaf' or kind = 'pending' and parent_id is null
group by incident_id
{%- endmacro %}

{#- What a run has grouped anew (`family_size` at least 1), and what is pending (0), one row an
    incident: `alone_id` is the pending row, or that of a family of one. -#}
{% macro _incidents_at_hand(task, regrouped) %}
select
    incident_id, min(if(family_size > 1, incident_id, anomaly_id)) as alone_id,
    max(if(kind = 'leaf', family_size, 0)) as family_size,
    {% for column in task.key %}first({{ column }}) as {{ column }}, {% endfor %}first(family_starts_at) as starts_at,
    first(family_ends_at) as ends_at, first(family_values) as family_values,
    max(replaced_parent) filter (where anomaly_id = incident_id) as replaced_parent
from {{ regrouped }}
where kind = 'leaf' or kind = 'pending' and parent_id is null
group by incident_id
{%- endmacro %}

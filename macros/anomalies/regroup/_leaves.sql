{#- The active anomalies that are grouped anew: what was judged, and what was reached and not judged. What only may change
    its name keeps to its family (`kept_family`). -#}
{% macro _leaves(task, reached, judged) %}
select
    {{ strandline._anomaly_row(task, 'judged') }}, judged.is_replacing, judged.replaced_parent, judged.old,
    cast(null as string) as kept_family, {{ strandline._direction() }} as direction
from {{ judged }} as judged
where judged.status <> 'outdated'
union all
select
    {{ strandline._anomaly_row(task, 'reached') }}, false, null, struct({{ strandline._anomaly_row(task, 'reached') }}),
    if(reached.is_regrouped, null, coalesce(reached.parent_id, reached.anomaly_id)), {{ strandline._direction() }}
from {{ reached }} as reached
left anti join {{ judged }} as judged on reached.anomaly_id = judged.anomaly_id
where not reached.is_parent and (reached.is_regrouped or reached.is_renamed)
{%- endmacro %}

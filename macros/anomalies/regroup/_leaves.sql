{#- The rows to be grouped anew, what was judged and what was reached and not judged, each with its line: leaves of one line may
    merge. What only may change its name keeps to its family. Former parents (`kind` parent), and what waits to be told
    (pending), come along, each alone. -#}
{% macro _leaves(task, reached, judged) %}
{%- set kind = "case when not (reached.is_regrouped or reached.is_renamed) then 'pending' when reached.is_parent then 'parent' else 'leaf' end" -%}
select
    {{ strandline._anomaly_row(task, 'judged') }}, judged.is_replacing, judged.replaced_parent, judged.old, 'leaf' as kind,
    cast(null as string) as kept_family, {{ strandline._direction() }} as direction
from {{ judged }} as judged
where {{ strandline._is_active('judged.status') }}
union all
select
    {{ strandline._anomaly_row(task, 'reached') }}, false, null, struct({{ strandline._anomaly_row(task, 'reached') }}), {{ kind }},
    case {{ kind }}
        when 'leaf' then if(reached.is_regrouped, null, coalesce(reached.parent_id, reached.anomaly_id))
        else concat({{ kind }}, ' ', reached.anomaly_id)
    end,
    {{ strandline._direction() }}
from ({{ reached }}) as reached
left anti join {{ judged }} as judged on reached.anomaly_id = judged.anomaly_id
where reached.is_regrouped or reached.is_renamed or reached.is_pending
{%- endmacro %}

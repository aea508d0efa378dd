{#- The rows of a run before it tells: active anomalies under their incident and parent (`kind` leaf), the parents that they had
    (`parent`), and what only waits to be told (`pending`). `old` is what is stored of a row. -#}
{% macro _regrouped(task, run, stored, judged, summary) %}
with reached as (
    {{ strandline._reached(task, run, stored, judged, summary) }}
)
select
    {{ strandline._anomaly_row(task, 'leaf', {'incident_id': 'leaf.incident', 'parent_id': 'leaf.parent'}) }},
    'leaf' as kind, leaf.old, leaf.replaced_parent, leaf.family_size, leaf.family_starts_at, leaf.family_ends_at, leaf.worst
from ({{ strandline._incidents(task, strandline._families(task, strandline._leaves(task, 'reached', judged))) }}) as leaf
union all
select
    {{ strandline._anomaly_row(task, 'reached') }},
    if(reached.is_regrouped or reached.is_renamed, 'parent', 'pending'), struct({{ strandline._anomaly_row(task, 'reached') }}),
    null, null, null, null, null
from reached
left anti join {{ judged }} as judged on reached.anomaly_id = judged.anomaly_id
where if(reached.is_regrouped or reached.is_renamed, reached.is_parent, reached.is_pending)
{%- endmacro %}

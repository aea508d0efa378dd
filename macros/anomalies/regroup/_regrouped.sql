{#- The rows of a run before it tells: active anomalies under their incident (`kind` leaf), the
    parents that they had (parent), and what only waits to be told (pending). `old` is what is stored
    of a row. Whether a leaf has a parent is known when that of its incident has been looked up. -#}
{% macro _regrouped(task, run, stored, judged, summary) %}
{%- set leaves = strandline._leaves(task, strandline._reached(task, run, stored, judged, summary), judged) -%}
select
    {{ strandline._anomaly_row(task, 'row', {
        'incident_id': "if(row.kind = 'leaf', row.incident, row.incident_id)",
        'parent_id': "if(row.kind = 'leaf', null, row.parent_id)",
    }) }},
    row.kind, row.old, row.replaced_parent, row.family_size, row.family_starts_at, row.family_ends_at,
    row.family_values
from ({{ strandline._incidents(task, strandline._families(task, leaves)) }}) as row
{%- endmacro %}

{#- The parents of families of two and more: the stored one with the bounds and values of now, or a new one. It replaces the
    parent of what its first child replaced, unless that one goes on. -#}
{% macro _family_parents(task, run, stored) %}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
{%- set shown = task.key + ['starts_at', 'ends_at'] + values -%}
{%- set given = strandline._new_anomaly(run) -%}
{%- for column in given -%}{%- do given.update({column: 'coalesce(parent.' ~ column ~ ', ' ~ given[column] ~ ')'}) -%}{%- endfor -%}
{%- do given.update({
    'anomaly_id': 'family.root_id', 'starts_at': 'family.starts_at', 'ends_at': 'family.ends_at', 'is_parent': 'true',
    'incident_id': 'family.incident_id', 'replaces': 'coalesce(parent.replaces, replaced.parent_id)',
    'parent_id': 'cast(null as string)',
    'status': "case when parent.anomaly_id is null then 'new' when parent.status <> 'outdated' and struct("
        ~ strandline._with_alias('parent', ['starts_at', 'ends_at'] + values) ~ ") <=> struct(family.starts_at, family.ends_at, "
        ~ strandline._with_alias('family.worst', values) ~ ") then parent.status else 'updated' end",
}) -%}
{%- for column in values -%}{%- do given.update({column: 'family.worst.' ~ column}) -%}{%- endfor %}
select
    {{ strandline._anomaly_row(task, 'family', given) }},
    if(parent.anomaly_id is null, null, struct({{ strandline._anomaly_row(task, 'parent') }})) as old
from families as family
left join known as parent on family.root_id = parent.anomaly_id
left join replaced on family.incident_id = replaced.incident_id
where family.family_size > 1
{%- endmacro %}

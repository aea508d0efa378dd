{#- The columns of the parent of a family, from `_told`: the stored one with the bounds and values of now, or a new one. -#}
{% macro _parent_row(task, run) %}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
{%- set given = strandline._new_anomaly(run) -%}
{%- for column in given -%}{%- do given.update({column: 'coalesce(family.parent.' ~ column ~ ', ' ~ given[column] ~ ')'}) -%}{%- endfor -%}
{%- for column in values -%}{%- do given.update({column: 'family.family_values.' ~ column}) -%}{%- endfor -%}
{%- do given.update({
    'anomaly_id': 'family.root_id', 'is_parent': 'true', 'incident_id': 'family.incident_id',
    'replaces': 'if(family.parent is null, family.replaces, family.parent.replaces)',
    'status': "case when family.parent is null then 'new' when family.parent.status <> 'outdated' and struct("
        ~ strandline._with_alias('family.parent', ['starts_at', 'ends_at'] + values) ~ ") <=> struct(family.starts_at, family.ends_at, "
        ~ strandline._with_alias('family.family_values', values) ~ ") then family.parent.status else 'updated' end",
}) -%}
{{- return(strandline._anomaly_row(task, 'family', given)) -}}
{% endmacro %}

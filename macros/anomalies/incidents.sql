{#- Each leaf with the incident of its family, and the family's bounds and values: those of the
    most extreme member, with the labels of all.

    An incident is continued by the family of the anomaly that it is named after, otherwise by the
    first family with one of its members (`owner_family`). A family with a replacement starts a new
    incident. Otherwise the family continues the incident of its first notified member, or of its
    first stored member, if that incident is owned by this family. Otherwise it starts an incident
    with the name of its first member. -#}
{% macro _incidents(task, families) %}
{%- set columns = strandline._anomaly_columns(task['keys']) + ['is_replacing', 'replaced_parent', 'old', 'kind'] -%}
with families as (
    {{ families }}
),
owner_candidates as (
    select
        *,
        inline(array(
            struct(0 as owner_rank, anomaly_id as name),
            struct(1 as owner_rank, if(kind = 'leaf', coalesce(incident_id, anomaly_id), anomaly_id) as name)
        ))
    from families
),
owners as (
    select
        *,
        first_value(family) over (partition by name order by owner_rank, family_place) as owner_family,
        case
            when is_replacing then 0 when notified_at is not null then 1 when incident_id is not null then 2 else 3
        end as incident_rank
    from owner_candidates
),
incidents as (
    select
        {{ columns | join(', ') }},
        min_by(if(owner_family = family, name, anomaly_id), struct(incident_rank, owner_family <> family, ends_at, starts_at)) over (partition by family) as incident,
        count(*) over (partition by family) as family_size,
        min(starts_at) over (partition by family) as family_starts_at,
        max(ends_at) over (partition by family) as family_ends_at,
        min_by(
            struct(current_value, baseline_value, severity),
            struct(if(direction = 0, 0, -abs(current_value - baseline_value)), ends_at, starts_at)
        ) over (partition by family) as most_extreme,
        {{ strandline._labels_of_all(task, 'over (partition by family)') }} as family_labels
    from owners
    where owner_rank = 1
)
select *, named_struct(
    'current_value', most_extreme.current_value, 'baseline_value', most_extreme.baseline_value,
    'severity', most_extreme.severity, 'labels', family_labels
) as family_values
from incidents
{%- endmacro %}

{#- The union of labels in a window: for arrays the distinct elements in order, for texts the
    distinct texts in one text. -#}
{% macro _labels_of_all(task, window) %}
    {%- if task.settings.labels == 'array' -%}
        {%- set union = 'array_sort(array_distinct(flatten(collect_list(labels) ' ~ window ~ ')))' -%}
    {%- else -%}
        {%- set texts = "collect_set(nullif(labels, '')) " ~ window -%}
        {%- set union = "array_join(array_sort(" ~ texts ~ "), ', ')" -%}
    {%- endif -%}
    {{- return('if(count(labels) ' ~ window ~ ' = 0, null, ' ~ union ~ ')') -}}
{% endmacro %}

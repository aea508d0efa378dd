{#- Each leaf with the incident of its family, and the family's bounds and values: those of the
    worst, with the labels of all.

    An incident goes on in the family of the anomaly that it is named after, else in the first one that has something of it
    (`home`). A family that has a replacement begins an incident. Else it goes on as the first, of its children that
    were told, else of those that were there, whose incident has its home here, else under the first one's own name. -#}
{% macro _incidents(task, families) %}
{%- set columns = strandline._anomaly_columns(task['keys']) + ['is_replacing', 'replaced_parent', 'old', 'kind'] -%}
with families as (
    {{ families }}
),
claims as (
    select
        *,
        inline(array(
            struct(0 as claim, anomaly_id as name),
            struct(1 as claim, if(kind = 'leaf', coalesce(incident_id, anomaly_id), anomaly_id) as name)
        ))
    from families
),
homes as (
    select
        *,
        first_value(family) over (partition by name order by claim, family_place) as home,
        case
            when is_replacing then 0 when notified_at is not null then 1 when incident_id is not null then 2 else 3
        end as age
    from claims
),
incidents as (
    select
        {{ columns | join(', ') }},
        min_by(if(home = family, name, anomaly_id), struct(age, home <> family, ends_at, starts_at)) over (partition by family) as incident,
        count(*) over (partition by family) as family_size,
        min(starts_at) over (partition by family) as family_starts_at,
        max(ends_at) over (partition by family) as family_ends_at,
        min_by(
            struct(current_value, baseline_value, severity),
            struct(if(direction = 0, 0, -abs(current_value - baseline_value)), ends_at, starts_at)
        ) over (partition by family) as worst,
        {{ strandline._labels_of_all(task, 'over (partition by family)') }} as family_labels
    from homes
    where claim = 1
)
select *, named_struct(
    'current_value', worst.current_value, 'baseline_value', worst.baseline_value,
    'severity', worst.severity, 'labels', family_labels
) as family_values
from incidents
{%- endmacro %}

{#- The union of labels in a window: of arrays the distinct elements in their order, of texts the
    distinct texts, in one text. -#}
{% macro _labels_of_all(task, window) %}
    {%- if task.settings.labels == 'array' -%}
        {%- set union = 'array_sort(array_distinct(flatten(collect_list(labels) ' ~ window ~ ')))' -%}
    {%- else -%}
        {%- set texts = "collect_set(nullif(labels, '')) " ~ window -%}
        {%- set union = "array_join(array_sort(" ~ texts ~ "), ', ')" -%}
    {%- endif -%}
    {{- return('if(count(labels) ' ~ window ~ ' = 0, null, ' ~ union ~ ')') -}}
{% endmacro %}

{#- Each leaf with the incident of its family, and the family's bounds and values: those of the
    most extreme member, with the labels of all.

    An incident is continued by the family of the anomaly that it is named after, otherwise by the
    first family with one of its members (`owner_family`). A family with a replacement starts a new
    incident. Otherwise the family continues the incident of its first notified member, or of its
    first stored member, if that incident is owned by this family. Otherwise it starts an incident
    with the name of its first member. -#}
{% macro _incidents(task, families) %}
{%- set columns = strandline._anomaly_columns(task['keys'])
    + ['is_replacing', 'replaced_parent', 'old', 'kind'] -%}
with families as (
    {{ families }}
),
owner_candidates as (
    select
        *,
        inline(array(
            struct(0 as owner_rank, anomaly_id as name),
            struct(1 as owner_rank, if(kind = 'leaf', coalesce(incident_id, anomaly_id), anomaly_id)
                as name)
        ))
    from families
),
owners as (
    select
        *,
        first_value(family) over (partition by name order by owner_rank, family_place)
            as owner_family,
        case
            when is_replacing then 0 when notified_at is not null then 1
                when incident_id is not null then 2 else 3
        end as incident_rank
    from owner_candidates
),
incidents as (
    select
        {{ columns | join(', ') }},
        min_by(if(owner_family = family, name, anomaly_id),
            struct(incident_rank, owner_family <> family, ends_at,
                starts_at)) over (partition by family) as incident,
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
        {%- set union = 'array_sort(array_distinct(flatten(collect_list(labels) ' ~ window
            ~ ')))' -%}
    {%- else -%}
        {%- set texts = "collect_set(nullif(labels, '')) " ~ window -%}
        {%- set union = "array_join(array_sort(" ~ texts ~ "), ', ')" -%}
    {%- endif -%}
    {{- return('if(count(labels) ' ~ window ~ ' = 0, null, ' ~ union ~ ')') -}}
{% endmacro %}

{#- Each leaf with the first member of its family. Leaves of one key and direction are merged in the
    order of their end, then start. A leaf that starts at least the gap after the previous one
    starts a new island. Within an island, a new family starts where the family would last too long.

    ──┤ gap or more ├──[ a ][ b ]────[ c ]──────[ d ]─┤ gap or more ├── time
                       └ an island: its rows in one array, split into families -#}
{% macro _families(task, leaves) %}
{%- set group_columns = task['keys'] + ['direction', 'kept_family'] -%}
{%- set columns = strandline._anomaly_columns(task['keys'])
    + ['is_replacing', 'replaced_parent', 'old', 'kind', 'direction'] -%}
with leaves as (
    {{ leaves }}
),
apart as (
    select
        *,
        coalesce(
            unix_micros(starts_at) - {{ task.merge_max_gap }} >= unix_micros(lag(ends_at) over (
                partition by {{ group_columns | join(', ') }} order by ends_at, starts_at
            )),
            true
        ) as is_apart
    from leaves
),
islands as (
    select
        *,
        count_if(is_apart) over (
            partition by {{ group_columns | join(', ') }}
            order by ends_at, starts_at rows unbounded preceding
        ) as island
    from apart
),
ordered as (
    select
        array_sort(collect_list(struct(
            unix_micros(ends_at) as last, unix_micros(starts_at) as first,
            struct({{ columns | join(', ') }}) as leaf
        ))) as rows
    from islands
    group by {{ group_columns | join(', ') }}, island
),
cut as (
    select
        rows,
        aggregate(
            rows,
            named_struct('position', 0, 'first', {{ 2 ** 63 - 1 }}L,
                'begins', cast(array() as array<int>)),
            (family, row) -> if(
                row.last - least(row.first, family.first) <= {{ task.merge_max_duration }}L,
                named_struct('position', family.position + 1,
                    'first', least(row.first, family.first), 'begins', family.begins),
                named_struct('position', family.position + 1, 'first', row.first,
                    'begins', array_append(family.begins, family.position))
            ),
            family -> family.begins
        ) as begins
    from ordered
),
named as (
    select inline(transform(rows, (row, position) -> named_struct(
        'leaf', row.leaf,
        'first_member', rows[coalesce(array_max(filter(begins, begin -> begin <= position)), 0)]
    )))
    from cut
)
select
    leaf.*,
    first_member.leaf.anomaly_id as family,
    struct(first_member.last, first_member.first, leaf.direction) as family_place
from named
{%- endmacro %}

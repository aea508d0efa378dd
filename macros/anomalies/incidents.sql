{#- Each leaf with the incident of its family, and the family's bounds and values: those of the
    most extreme member, with the labels of all.

    An incident is continued by the family of the anomaly that it is named after, otherwise by the
    first family with one of its members (`owner_family`). A family with a replacement starts a new
    incident. Otherwise the family continues the incident of its first notified member, or of its
    first stored member, if that incident is owned by this family. Otherwise it starts an incident
    with the name of its first member. -#}
{% macro _incidents(task, families) %}
{%- set columns = strandline._all_quoted(strandline._anomaly_columns(task['keys']))
    + ['__is_replacing', '__replaced_parent', '__old', '__kind'] -%}
with __families as (
    {{ families }}
),
__owner_candidates as (
    select
        *,
        inline(array(
            struct(0 as __owner_rank, anomaly_id as __name),
            struct(1 as __owner_rank,
                if(__kind = 'leaf', coalesce(incident_id, anomaly_id), anomaly_id) as __name)
        ))
    from __families
),
__owners as (
    select
        *,
        first_value(__family) over (partition by __name order by __owner_rank, __family_place)
            as __owner_family,
        case
            when __is_replacing then 0 when notified_at is not null then 1
                when incident_id is not null then 2 else 3
        end as __incident_rank
    from __owner_candidates
),
__incidents as (
    select
        {{ columns | join(', ') }},
        min_by(if(__owner_family = __family, __name, anomaly_id),
            struct(__incident_rank, __owner_family <> __family, ends_at,
                starts_at)) over (partition by __family) as __incident,
        count(*) over (partition by __family) as __family_size,
        min(starts_at) over (partition by __family) as __family_starts_at,
        max(ends_at) over (partition by __family) as __family_ends_at,
        min_by(
            struct(current_value, baseline_value, severity),
            struct(if(__direction = 0, 0, -abs(current_value - baseline_value)), ends_at, starts_at)
        ) over (partition by __family) as __most_extreme,
        {{ strandline._labels_of_all(task, 'over (partition by __family)') }} as __family_labels
    from __owners
    where __owner_rank = 1
)
select *, named_struct(
    'current_value', __most_extreme.current_value, 'baseline_value', __most_extreme.baseline_value,
    'severity', __most_extreme.severity, 'labels', __family_labels
) as __family_values
from __incidents
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
{%- set group_columns = strandline._all_quoted(task['keys']) + ['__direction', '__kept_family'] -%}
{%- set columns = strandline._all_quoted(strandline._anomaly_columns(task['keys']))
    + ['__is_replacing', '__replaced_parent', '__old', '__kind', '__direction'] -%}
with __leaves as (
    {{ leaves }}
),
__apart as (
    select
        *,
        coalesce(
            unix_micros(starts_at) - {{ task.merge_max_gap }} >= unix_micros(lag(ends_at) over (
                partition by {{ group_columns | join(', ') }} order by ends_at, starts_at
            )),
            true
        ) as __is_apart
    from __leaves
),
__islands as (
    select
        *,
        count_if(__is_apart) over (
            partition by {{ group_columns | join(', ') }}
            order by ends_at, starts_at rows unbounded preceding
        ) as __island
    from __apart
),
__ordered as (
    select
        array_sort(collect_list(struct(
            unix_micros(ends_at) as __last, unix_micros(starts_at) as __first,
            struct({{ columns | join(', ') }}) as __leaf
        ))) as __rows
    from __islands
    group by {{ group_columns | join(', ') }}, __island
),
__cut as (
    select
        __rows,
        aggregate(
            __rows,
            named_struct('__position', 0, '__first', {{ 2 ** 63 - 1 }}L,
                '__begins', cast(array() as array<int>)),
            (__family, __row) -> if(
                __row.__last - least(__row.__first, __family.__first)
                    <= {{ task.merge_max_duration }}L,
                named_struct('__position', __family.__position + 1,
                    '__first', least(__row.__first, __family.__first),
                    '__begins', __family.__begins),
                named_struct('__position', __family.__position + 1, '__first', __row.__first,
                    '__begins', array_append(__family.__begins, __family.__position))
            ),
            __family -> __family.__begins
        ) as __begins
    from __ordered
),
__named as (
    select inline(transform(__rows, (__row, __position) -> named_struct(
        '__leaf', __row.__leaf,
        '__first_member', __rows[coalesce(
            array_max(filter(__begins, __begin -> __begin <= __position)), 0
        )]
    )))
    from __cut
)
select
    __leaf.*,
    __first_member.__leaf.anomaly_id as __family,
    struct(__first_member.__last, __first_member.__first, __leaf.__direction) as __family_place
from __named
{%- endmacro %}

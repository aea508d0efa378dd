{#- Each leaf with the first one of its family. Leaves of one key and direction merge in the order of their end, then start, one
    after the other: one that begins by the gap after the one before it is apart (an island begins), and within an
    island a family is cut where it would last too long.

    ──┤ gap or more ├──[ a ][ b ]────[ c ]──────[ d ]─┤ gap or more ├── time
                       └ an island: its rows in one array, folded into families -#}
{% macro _families(task, leaves) %}
{%- set line = task.key + ['direction', 'kept_family'] -%}
{%- set columns = strandline._anomaly_columns(task.key) + ['is_replacing', 'replaced_parent', 'old', 'kind', 'direction'] -%}
with leaves as (
    {{ leaves }}
),
apart as (
    select
        *,
        coalesce(
            unix_micros(starts_at) - {{ task.merge_max_gap }} >= unix_micros(lag(ends_at) over (
                partition by {{ line | join(', ') }} order by ends_at, starts_at
            )),
            true
        ) as is_apart
    from leaves
),
islands as (
    select
        *,
        count_if(is_apart) over (
            partition by {{ line | join(', ') }} order by ends_at, starts_at rows unbounded preceding
        ) as island
    from apart
),
ordered as (
    select
        array_sort(collect_list(struct(
            unix_micros(ends_at) as last, unix_micros(starts_at) as first, struct({{ columns | join(', ') }}) as leaf
        ))) as rows
    from islands
    group by {{ line | join(', ') }}, island
),
cut as (
    select
        rows,
        aggregate(
            rows,
            named_struct('position', 0, 'first', {{ 2 ** 63 - 1 }}L, 'begins', cast(array() as array<int>)),
            (family, row) -> if(
                row.last - least(row.first, family.first) <= {{ task.merge_max_duration }}L,
                named_struct('position', family.position + 1, 'first', least(row.first, family.first), 'begins', family.begins),
                named_struct('position', family.position + 1, 'first', row.first,
                    'begins', array_append(family.begins, family.position))
            ),
            family -> family.begins
        ) as begins
    from ordered
),
named as (
    select inline(transform(rows, (row, position) -> named_struct(
        'leaf', row.leaf, 'eldest', rows[coalesce(array_max(filter(begins, begin -> begin <= position)), 0)]
    )))
    from cut
)
select
    leaf.*,
    eldest.leaf.anomaly_id as family,
    struct(eldest.last, eldest.first, leaf.direction) as family_place
from named
{%- endmacro %}

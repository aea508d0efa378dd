{#- The rows that a run writes: those whose content differs from what is stored, and those after
    which a told incident is named. A parent that a family had (`kind` parent) is outdated, unless its
    incident is that of a family now. -#}
{% macro _changes(task, run, judged, regrouped, told) %}
{%- set compared = ['starts_at', 'ends_at', 'current_value', 'baseline_value', 'severity', 'labels', 'incident_id', 'parent_id',
    'status', 'notified_at'] -%}
{%- set as_row = strandline._anomaly_row(task, 'row') -%}
with rows as (
    select {{ as_row }}, row.old, row.kind from {{ regrouped }} as row
    union all
    select {{ strandline._parent_row(task, run) }}, family.parent, 'family' from {{ told }} as family
    where family.family_size > 1 or family.parent is not null
    union all
    select {{ as_row }}, row.old, 'judged' from {{ judged }} as row where not {{ strandline._is_active('row.status') }}
    union all
    select {{ strandline._anomaly_row(task, 'named.eldest') }}, named.eldest, 'named'
    from {{ told }} as named
    left anti join {{ regrouped }} as regrouped on named.incident_id = regrouped.anomaly_id
    left anti join {{ judged }} as judged on named.incident_id = judged.anomaly_id
    where named.eldest is not null
),
marked as (
    select
        {{ strandline._anomaly_row(task, 'row', {
            'status': "if(row.kind = 'parent', 'outdated', row.status)",
            'parent_id': "if(row.kind = 'leaf', nullif(mine.root_id, row.anomaly_id), row.parent_id)",
            'notified_at': "if(" ~ strandline._is_active('row.status') ~ " and row.kind <> 'parent' and mine.is_told, coalesce(row.notified_at, " ~ run.run_at ~ "), row.notified_at)",
            'told': 'coalesce(named.told, row.told)', 'told_completed': 'coalesce(named.told_completed, row.told_completed)',
        }) }},
        row.old
    from rows as row
    left join {{ told }} as mine on row.incident_id = mine.incident_id
    left join {{ told }} as named on row.anomaly_id = named.incident_id
    where row.kind <> 'parent' or mine.incident_id is null
),
compared as (
    select
        *,
        old is null or not struct({{ compared | join(', ') }}) <=> struct({{ strandline._with_alias('old', compared) }}) as is_changed
    from marked
)
select
    {{ strandline._anomaly_row(task, 'row', {
        'changed_at': 'if(row.is_changed, ' ~ run.frame_end ~ ', row.changed_at)',
        'changed_run_at': 'if(row.is_changed, ' ~ run.run_at ~ ', row.changed_run_at)',
    }) }},
    row.old.ends_at as old_ends_at
from compared as row
where row.is_changed or not struct(row.told, row.told_completed) <=> struct(row.old.told, row.old.told_completed)
{%- endmacro %}

{#- The rows that a run writes: those whose content differs from what is stored, and those after which a told incident is named. -#}
{% macro _changes(task, run, stored, judged, regrouped) %}
{%- set compared = ['starts_at', 'ends_at', 'current_value', 'baseline_value', 'severity', 'labels', 'incident_id', 'parent_id',
    'status', 'notified_at'] -%}
{%- set as_row = strandline._anomaly_row(task, 'row') -%}
with families as (
    select
        incident_id, coalesce(first(parent_id), first(anomaly_id)) as root_id, first(family_size) as family_size,
        {% for column in task.key %}first({{ column }}) as {{ column }}, {% endfor %}first(family_starts_at) as starts_at,
        first(family_ends_at) as ends_at, first(worst) as worst,
        max(replaced_parent) filter (where anomaly_id = incident_id) as replaced_parent
    from {{ regrouped }}
    where kind = 'leaf'
    group by incident_id
),
incidents as (
    select incident_id, root_id, starts_at, ends_at from families
    union all
    select incident_id, anomaly_id, starts_at, ends_at from {{ regrouped }} where kind = 'pending' and parent_id is null
),
known as (
    select kept.*
    from ({{ stored }}) as kept
    left semi join (select explode(array(incident_id, root_id)) as anomaly_id from incidents) as wanted
        on kept.anomaly_id = wanted.anomaly_id
),
replaced as (
    {{ strandline._replaced_parents(stored, regrouped) }}
),
told as (
    {{ strandline._told(task, run) }}
),
rows as (
    select {{ as_row }}, row.old from {{ regrouped }} as row where kind <> 'parent'
    union all
    {{ strandline._family_parents(task, run, stored) }}
    union all
    select {{ strandline._anomaly_row(task, 'row', {'status': "'outdated'"}) }}, row.old
    from {{ regrouped }} as row
    left anti join families on row.anomaly_id = families.root_id
    where row.kind = 'parent'
    union all
    select {{ as_row }}, row.old from {{ judged }} as row where row.status = 'outdated'
    union all
    select {{ as_row }}, struct({{ as_row }}) as old
    from known as row
    left semi join incidents on row.anomaly_id = incidents.incident_id
    left anti join {{ regrouped }} as regrouped on row.anomaly_id = regrouped.anomaly_id
    left anti join {{ judged }} as judged on row.anomaly_id = judged.anomaly_id
),
marked as (
    select
        {{ strandline._anomaly_row(task, 'row', {
            'notified_at': "if(row.status <> 'outdated' and mine.is_told, coalesce(row.notified_at, " ~ run.run_at ~ "), row.notified_at)",
            'told': 'coalesce(named.told, row.told)', 'told_completed': 'coalesce(named.told_completed, row.told_completed)',
        }) }},
        row.old
    from rows as row
    left join told as mine on coalesce(row.parent_id, row.anomaly_id) = mine.root_id
    left join told as named on row.anomaly_id = named.incident_id
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

{#- The rows that a run writes: those whose content differs from what is stored, and those after
    which a told incident is named. A parent that a family had (`kind` parent) is outdated, unless
    its incident is that of a family now. -#}
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

{#- The columns of the parent of a family, from `_notified_incidents`: the stored one with the
    bounds and values of now, or a new one. -#}
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

{#- Of each incident at hand: when and as what it was told, or is now, with what is stored of its
    parent and of the anomaly that it is named after. A family of two or more is told as its parent
    (`root_id`), and an incident that had a parent keeps it, down to one. An incident is told once,
    and once more when it is over (`completed`), unless it is quiet: someone has given feedback to
    it, it is too short, or it lies before the look-back. The look-back does not silence the end of
    what was told, in the run whose mark is the first to pass it: one that is shorter than the gap
    would silence every end. -#}
{% macro _notified_incidents(task, run, stored, regrouped) %}
{%- set settings = task.settings -%}
{%- set columns = task['keys'] + ['alone_id', 'family_size', 'starts_at', 'ends_at', 'family_values',
    'replaced_parent'] -%}
{%- set parent_id = strandline._parent_id('incident_id') -%}
{%- set kept = 'struct(' ~ strandline._anomaly_row(task, 'kept') ~ ')' -%}
{%- set now = "named_struct('at', " ~ run.run_at ~ ", 'anomaly_id', root_id)" -%}
{%- set is_over, is_old, ends_now = 'false', 'false', 'true' -%}
{%- if settings.completed and run.mark is not none -%}
    {%- set is_over = 'ends_at <= ' ~ strandline._micros_time(run.mark - task.merge_max_gap) -%}
    {%- if run.mark_before is not none -%}
        {%- set ends_now = 'ends_at > ' ~ strandline._micros_time(run.mark_before - task.merge_max_gap) -%}
    {%- endif -%}
{%- endif -%}
{%- if run.mark is not none and settings.notify_look_back is not none -%}
    {%- set is_old = 'ends_at <= ' ~ strandline._micros_time(run.mark - settings.notify_look_back) -%}
{%- endif -%}
with incidents as (
    {{ strandline._current_incidents(task, regrouped) }}
),
named as (
    select *, explode(array_distinct(array(incident_id, alone_id, {{ parent_id }}))) as name
    from incidents
),
known as (
    select
        named.incident_id,
        {% for column in columns %}first(named.{{ column }}) as {{ column }}, {% endfor %}
        first(if(kept.anomaly_id = named.incident_id, {{ kept }}, null), true) as eldest,
        first(if(kept.is_parent and named.family_size > 0, {{ kept }}, null), true) as parent,
        {%- if settings.feedback %}
        count_if(
            feedback.anomaly_id is not null
            and named.name in (named.incident_id, {{ strandline._parent_id('named.incident_id') }})
        ) > 0 as is_silenced,
        count_if(feedback.anomaly_id is not null) > 0 as is_silenced_alone
        {%- else %}
        false as is_silenced, false as is_silenced_alone
        {%- endif %}
    from named
    left join (
        select * from ({{ stored }}) as kept left semi join named on kept.anomaly_id = named.name
    ) as kept on named.name = kept.anomaly_id
    {%- if settings.feedback %}
    left join (select distinct anomaly_id from {{ settings.feedback }}) as feedback on named.name = feedback.anomaly_id
    {%- endif %}
    group by named.incident_id
),
asked as (
    select
        * except (is_silenced, is_silenced_alone),
        if(family_size > 1 or parent is not null, {{ parent_id }}, alone_id) as root_id,
        eldest.told is not null or eldest.notified_at is not null as was_told,
        {{ is_old }} as is_old, {{ ends_now }} as ends_now,
        is_silenced or parent is null and is_silenced_alone
            or unix_micros(ends_at) - unix_micros(starts_at) < {{ settings.min_length }} as is_quiet
    from ({{ strandline._replaced_parents(stored, regrouped) }})
)
select
    * except (was_told, is_old, ends_now, is_quiet),
    coalesce(eldest.told, if(was_told or is_quiet or is_old, null, {{ now }})) as told,
    coalesce(
        eldest.told_completed,
        if({{ is_over }} and not is_quiet and (not is_old or was_told and ends_now), {{ now }}, null)
    ) as told_completed,
    was_told or not (is_quiet or is_old) as is_told
from asked
{%- endmacro %}

{#- What a run has grouped anew (`family_size` at least 1), and what is pending (0), one row an
    incident: `alone_id` is the pending row, or that of a family of one. -#}
{% macro _current_incidents(task, regrouped) %}
select
    incident_id, min(if(family_size > 1, incident_id, anomaly_id)) as alone_id,
    max(if(kind = 'leaf', family_size, 0)) as family_size,
    {% for column in task['keys'] %}first({{ column }}) as {{ column }}, {% endfor %}first(family_starts_at) as starts_at,
    first(family_ends_at) as ends_at, first(family_values) as family_values,
    max(replaced_parent) filter (where anomaly_id = incident_id) as replaced_parent
from {{ regrouped }}
where kind = 'leaf' or kind = 'pending' and parent_id is null
group by incident_id
{%- endmacro %}

{#- Each incident with the parent that its own replaces when it is new: the parent of what the
    incident's anomaly replaced, if it is outdated by now, be it that this run outdates it. -#}
{% macro _replaced_parents(stored, regrouped) %}
select
    candidate.*,
    if(going_on.parent_id is null and (outdated.anomaly_id is not null or reached.anomaly_id is not null), candidate.candidate_id, null) as replaces
from (
    select known.*, coalesce(known.replaced_parent, before.parent_id) as candidate_id
    from known
    left join (select anomaly_id, parent_id from ({{ stored }}) where status = 'outdated' and parent_id is not null) as before
        on known.eldest.replaces = before.anomaly_id and known.family_size > 1
) as candidate
left join (
    select distinct {{ strandline._parent_id('incident_id') }} as parent_id
    from {{ regrouped }}
    where kind = 'leaf'
) as going_on on candidate.candidate_id = going_on.parent_id
left join (select anomaly_id from {{ regrouped }} where kind = 'parent') as reached on candidate.candidate_id = reached.anomaly_id
left join (select anomaly_id from ({{ stored }}) where status = 'outdated' and is_parent) as outdated
    on candidate.candidate_id = outdated.anomaly_id
{%- endmacro %}

{#- The rows of a run before notification: active anomalies with their incident (`kind` leaf), their
    former parents (parent), and rows that are only due for notification (pending). `old` is the
    stored row. Whether a leaf has a parent is known after the stored parent of its incident has
    been read. -#}
{% macro _merge_groups(task, run, stored, classified, summary) %}
{%- set leaves = strandline._leaves(task,
    strandline._affected(task, run, stored, classified, summary), classified) -%}
select
    {{ strandline._anomaly_row(task, 'row', {
        'incident_id': "if(row.kind = 'leaf', row.incident, row.incident_id)",
        'parent_id': "if(row.kind = 'leaf', null, row.parent_id)",
    }) }},
    row.kind, row.old, row.replaced_parent, row.family_size, row.family_starts_at,
    row.family_ends_at,
    row.family_values
from ({{ strandline._incidents(task, strandline._families(task, leaves)) }}) as row
{%- endmacro %}

{#- The stored, active rows that a run may have to write, besides the classified ones.

    Rows are merged in the order of their ends. A changed row ends after its own start, and so do
    all rows behind it. Of the rows behind it, only those that start within the longest duration
    before its end can join the family before the change. Therefore, for each key, a family is
    regrouped if it ends after the earliest changed start, less the gap, less that duration
    (`is_regrouped`). A row of such a family ends at most that duration before the family ends: a
    literal bound, by which files are skipped. A family elsewhere can continue with the name of an
    anomaly that is found again; it keeps its members (`is_renamed`). The other rows are only
    checked for notifications. -#}
{% macro _affected(task, run, stored, classified, summary) %}
{%- set pending = strandline._pending(task, run) if summary.pending else 'false' -%}
{%- set reach = task.merge_max_gap + task.merge_max_duration -%}
{%- set near_from = summary.earliest_start - reach - task.merge_max_duration if summary.rows
    else none -%}
{%- set near = 'changed.changed_from is not null and kept.ends_at > '
    ~ strandline._micros_time(near_from) if summary.rows else 'false' -%}
{%- set earliest = [near_from, summary.earliest_pending - 1 if summary.pending else none]
    | reject('none') | min -%}
{%- set renamed = 'found_again.name is not null' if summary.found_again else 'false' -%}
with changed as (
    select {{ task['keys'] | join(', ') }}, min(starts_at) as changed_from
    from {{ classified }}
    group by {{ task['keys'] | join(', ') }}
),
{%- if summary.found_again %}
found_again as (
    select distinct name
    from (
        select inline(array(struct(anomaly_id as name), struct(incident_id as name)))
        from {{ classified }}
        where not {{ strandline._is_active('old.status') }}
            and {{ strandline._is_active('status') }}
    )
),
{%- endif %}
flagged as (
    select
        kept.*, {{ pending }} as is_pending, {{ renamed }} as is_renamed, changed.changed_from,
        max(kept.ends_at) over (partition by coalesce(kept.parent_id, kept.anomaly_id))
            as family_ends_at
    from ({{ stored }}) as kept
    left join changed on {{ strandline._same_key(task, 'kept', 'changed') }}
    {%- if summary.found_again %}
    left join found_again on kept.incident_id = found_again.name
    {%- endif %}
    where {{ strandline._is_active('kept.status') }}
        and ({{ near }} or {{ renamed }} or {{ pending }})
        {%- if not summary.found_again %}
            and kept.ends_at > {{ strandline._micros_time(earliest) }}{% endif %}
)
select
    *,
    coalesce(unix_micros(family_ends_at) > unix_micros(changed_from) - {{ reach }}, false)
        as is_regrouped
from flagged
{%- endmacro %}

{#- Whether a stored, active row may be due for notification although it has not changed: because
    feedback that suppressed it was removed, for example, or because the incident is now over. A
    literal bound excludes rows before the look-back, unless the watermark passes their end only
    now. -#}
{% macro _pending(task, run) %}
    {%- set due = ['kept.notified_at is null'] -%}
    {%- set notifies_end = task.settings.completed and run.watermark is not none -%}
    {%- if notifies_end -%}
        {%- do due.append('kept.parent_id is null and (kept.is_parent or kept.notified_completed '
            ~ 'is null) and kept.ends_at < '
            ~ strandline._micros_time(run.watermark - task.merge_max_gap)) -%}
    {%- endif -%}
    {%- set pending = '(' ~ due | join(' or ') ~ ')' -%}
    {%- set has_look_back = run.watermark is not none
        and task.settings.notify_look_back is not none -%}
    {%- if has_look_back and not (notifies_end and run.previous_watermark is none) -%}
        {%- set bounds = [run.watermark - task.settings.notify_look_back] -%}
        {%- if notifies_end -%}
            {%- do bounds.append(run.previous_watermark - task.merge_max_gap - 1) -%}
        {%- endif -%}
        {%- set bound = strandline._micros_time(bounds | min - task.merge_max_duration) -%}
        {%- set pending = pending ~ ' and kept.ends_at > ' ~ bound -%}
    {%- endif -%}
    {{- return(pending) -}}
{% endmacro %}

{#- The rows to group: the classified rows and the affected stored rows that were not classified.
    Leaves with the same group columns may merge. A row that can only be renamed stays in its
    family. Former parents (`kind` parent) and rows due for notification (pending) each form a group
    of their own. -#}
{% macro _leaves(task, affected, classified) %}
{%- set kind = "case when not (affected.is_regrouped or affected.is_renamed) then 'pending' when "
    ~ "affected.is_parent then 'parent' else 'leaf' end" -%}
select
    {{ strandline._anomaly_row(task, 'classified') }},
    classified.is_replacing, classified.replaced_parent, classified.old,
        'leaf' as kind,
    cast(null as string) as kept_family, {{ strandline._direction() }} as direction
from {{ classified }} as classified
where {{ strandline._is_active('classified.status') }}
union all
select
    {{ strandline._anomaly_row(task, 'affected') }},
    false, null, struct({{ strandline._anomaly_row(task, 'affected') }}), {{ kind }},
    case {{ kind }}
        when 'leaf' then if(affected.is_regrouped, null,
            coalesce(affected.parent_id, affected.anomaly_id))
        else concat({{ kind }}, ' ', affected.anomaly_id)
    end,
    {{ strandline._direction() }}
from ({{ affected }}) as affected
left anti join {{ classified }} as classified on affected.anomaly_id = classified.anomaly_id
where affected.is_regrouped or affected.is_renamed or affected.is_pending
{%- endmacro %}

{#- 1 above the baseline, -1 below it, 0 if equal or unknown. -#}
{% macro _direction() -%}
case when current_value > baseline_value then 1 when current_value < baseline_value then -1
    else 0 end
{%- endmacro %}

{#- The rows of a run before it tells: active anomalies under their incident (`kind` leaf), the
    parents that they had (parent), and what only waits to be told (pending). `old` is what is
    stored of a row. Whether a leaf has a parent is known when that of its incident has been looked
    up. -#}
{% macro _merge_groups(task, run, stored, judged, summary) %}
{%- set leaves = strandline._leaves(task, strandline._reached(task, run, stored, judged, summary), judged) -%}
select
    {{ strandline._anomaly_row(task, 'row', {
        'incident_id': "if(row.kind = 'leaf', row.incident, row.incident_id)",
        'parent_id': "if(row.kind = 'leaf', null, row.parent_id)",
    }) }},
    row.kind, row.old, row.replaced_parent, row.family_size, row.family_starts_at, row.family_ends_at,
    row.family_values
from ({{ strandline._incidents(task, strandline._families(task, leaves)) }}) as row
{%- endmacro %}

{#- The stored, active rows that a run may have to write, beside those it judged.

    Rows merge in the order of their end, one after the other. What changes ends after its own start, and so does all that comes
    behind it; of what is behind, only what begins within the longest duration before its end can go to the family that stands
    in front of the change. So of each key, families are grouped anew that end after the least start of what changed, less the
    gap, less that duration (`is_regrouped`). A row of such a family ends at most that duration before the family does: a
    literal, so that files are skipped by it. A family elsewhere may go on under the name of one that is found again: it stays
    together (`is_renamed`). The rest is only asked whether it is to be told. -#}
{% macro _reached(task, run, stored, judged, summary) %}
{%- set pending = strandline._pending(task, run) if summary.pending else 'false' -%}
{%- set reach = task.merge_max_gap + task.merge_max_duration -%}
{%- set near_since = summary.since - reach - task.merge_max_duration if summary.rows else none -%}
{%- set near = 'changed.changed_from is not null and kept.ends_at > ' ~ strandline._micros_time(near_since) if summary.rows else 'false' -%}
{%- set since = [near_since, summary.pending_since - 1 if summary.pending else none] | reject('none') | min -%}
{%- set renamed = 'found_again.name is not null' if summary.found_again else 'false' -%}
with changed as (
    select {{ task['keys'] | join(', ') }}, min(starts_at) as changed_from
    from {{ judged }}
    group by {{ task['keys'] | join(', ') }}
),
{%- if summary.found_again %}
found_again as (
    select distinct name
    from (
        select inline(array(struct(anomaly_id as name), struct(incident_id as name)))
        from {{ judged }}
        where not {{ strandline._is_active('old.status') }} and {{ strandline._is_active('status') }}
    )
),
{%- endif %}
marked as (
    select
        kept.*, {{ pending }} as is_pending, {{ renamed }} as is_renamed, changed.changed_from,
        max(kept.ends_at) over (partition by coalesce(kept.parent_id, kept.anomaly_id)) as family_ends_at
    from ({{ stored }}) as kept
    left join changed on {{ strandline._same_key(task, 'kept', 'changed') }}
    {%- if summary.found_again %}
    left join found_again on kept.incident_id = found_again.name
    {%- endif %}
    where {{ strandline._is_active('kept.status') }} and ({{ near }} or {{ renamed }} or {{ pending }})
        {%- if not summary.found_again %} and kept.ends_at > {{ strandline._micros_time(since) }}{% endif %}
)
select
    *,
    coalesce(unix_micros(family_ends_at) > unix_micros(changed_from) - {{ reach }}, false) as is_regrouped
from marked
{%- endmacro %}

{#- The condition that a stored, active row may have to be told though nothing of it changed: it was
    not, because of feedback that is now taken back, say; or it is over by now. What lies before the
    look-back is left out by a literal, unless the mark passes its end only now. -#}
{% macro _pending(task, run) %}
    {%- set due = ['kept.notified_at is null'] -%}
    {%- set tells_ends = task.settings.completed and run.mark is not none -%}
    {%- if tells_ends -%}
        {%- do due.append('kept.parent_id is null and (kept.is_parent or kept.told_completed is null) and kept.ends_at <= '
            ~ strandline._micros_time(run.mark - task.merge_max_gap)) -%}
    {%- endif -%}
    {%- set pending = '(' ~ due | join(' or ') ~ ')' -%}
    {%- set looks_back = run.mark is not none and task.settings.notify_look_back is not none -%}
    {%- if looks_back and not (tells_ends and run.mark_before is none) -%}
        {%- set since = [run.mark - task.settings.notify_look_back] -%}
        {%- if tells_ends -%}{%- do since.append(run.mark_before - task.merge_max_gap) -%}{%- endif -%}
        {%- set bound = strandline._micros_time(since | min - task.merge_max_duration) -%}
        {%- set pending = pending ~ ' and kept.ends_at > ' ~ bound -%}
    {%- endif -%}
    {{- return(pending) -}}
{% endmacro %}

{#- The rows to be grouped anew, what was judged and what was reached and not judged, each with its
    line: leaves of one line may merge. What only may change its name keeps to its family. Former
    parents (`kind` parent), and what waits to be told (pending), come along, each alone. -#}
{% macro _leaves(task, reached, judged) %}
{%- set kind = "case when not (reached.is_regrouped or reached.is_renamed) then 'pending' when reached.is_parent then 'parent' else 'leaf' end" -%}
select
    {{ strandline._anomaly_row(task, 'judged') }}, judged.is_replacing, judged.replaced_parent, judged.old, 'leaf' as kind,
    cast(null as string) as kept_family, {{ strandline._direction() }} as direction
from {{ judged }} as judged
where {{ strandline._is_active('judged.status') }}
union all
select
    {{ strandline._anomaly_row(task, 'reached') }}, false, null, struct({{ strandline._anomaly_row(task, 'reached') }}), {{ kind }},
    case {{ kind }}
        when 'leaf' then if(reached.is_regrouped, null, coalesce(reached.parent_id, reached.anomaly_id))
        else concat({{ kind }}, ' ', reached.anomaly_id)
    end,
    {{ strandline._direction() }}
from ({{ reached }}) as reached
left anti join {{ judged }} as judged on reached.anomaly_id = judged.anomaly_id
where reached.is_regrouped or reached.is_renamed or reached.is_pending
{%- endmacro %}

{#- 1 above the baseline, -1 below it, 0 for one that is equal or unknown. -#}
{% macro _direction() -%}
case when current_value > baseline_value then 1 when current_value < baseline_value then -1 else 0 end
{%- endmacro %}

{#- Each leaf with the first one of its family. Leaves of one key and direction merge in the order of their end, then start, one
    after the other: one that begins by the gap after the one before it is apart (an island begins), and within an
    island a family is cut where it would last too long.

    ──┤ gap or more ├──[ a ][ b ]────[ c ]──────[ d ]─┤ gap or more ├── time
                       └ an island: its rows in one array, folded into families -#}
{% macro _families(task, leaves) %}
{%- set line = task['keys'] + ['direction', 'kept_family'] -%}
{%- set columns = strandline._anomaly_columns(task['keys']) + ['is_replacing', 'replaced_parent', 'old', 'kind', 'direction'] -%}
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

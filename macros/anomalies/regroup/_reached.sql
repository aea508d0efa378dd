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
    select {{ task.key | join(', ') }}, min(starts_at) as changed_from
    from {{ judged }}
    group by {{ task.key | join(', ') }}
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

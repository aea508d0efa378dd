{#- The rows of a run before notification: active anomalies with their incident (`kind` leaf), the
    parents that they had (parent), and rows that are only due for notification (pending). `old` is
    the stored row. Whether a leaf has a parent is known after the stored parent of its incident has
    been read. -#}
{% macro _merge_groups(task, run, stored, classified, summary) %}
{%- set leaves = strandline._leaves(task,
    strandline._affected(task, run, stored, classified, summary), classified) -%}
select
    {{ strandline._anomaly_row(task, '__row', {
        'incident_id': "if(__row.__kind = 'leaf', __row.__incident, __row.incident_id)",
        'parent_id': "if(__row.__kind = 'leaf', null, __row.parent_id)",
    }) }},
    __row.__kind, __row.__old, __row.__replaced_parent, __row.__family_size,
    __row.__family_starts_at, __row.__family_ends_at, __row.__family_values
from ({{ strandline._incidents(task, strandline._families(task, leaves)) }}) as __row
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
{%- set keys = strandline._all_quoted(task['keys']) | join(', ') -%}
{%- set pending = strandline._pending(task, run) if summary.pending else 'false' -%}
{%- set reach = task.merge_max_gap + task.merge_max_duration -%}
{%- set near_from = summary.earliest_start - reach - task.merge_max_duration if summary.rows
    else none -%}
{%- set near = '__changed.__changed_from is not null and __kept.ends_at > '
    ~ strandline._micros_time(near_from) if summary.rows else 'false' -%}
{%- set earliest = [near_from, summary.earliest_pending - 1 if summary.pending else none]
    | reject('none') | min -%}
{%- set renamed = '__found_again.__name is not null' if summary.found_again else 'false' -%}
with __changed as (
    select {{ keys }}, min(starts_at) as __changed_from
    from {{ classified }}
    group by {{ keys }}
),
{%- if summary.found_again %}
__found_again as (
    select distinct __name
    from (
        select inline(array(struct(anomaly_id as __name), struct(incident_id as __name)))
        from {{ classified }}
        where not {{ strandline._is_active('__old.status') }}
            and {{ strandline._is_active('status') }}
    )
),
{%- endif %}
__flagged as (
    select
        __kept.*, {{ pending }} as __is_pending, {{ renamed }} as __is_renamed,
        __changed.__changed_from,
        max(__kept.ends_at) over (partition by coalesce(__kept.parent_id, __kept.anomaly_id))
            as __family_ends_at
    from ({{ stored }}) as __kept
    left join __changed on {{ strandline._same_columns(task['keys'], '__kept', '__changed') }}
    {%- if summary.found_again %}
    left join __found_again on __kept.incident_id = __found_again.__name
    {%- endif %}
    where {{ strandline._is_active('__kept.status') }}
        and ({{ near }} or {{ renamed }} or {{ pending }})
        {%- if not summary.found_again %}
            and __kept.ends_at > {{ strandline._micros_time(earliest) }}{% endif %}
)
select
    *,
    coalesce(unix_micros(__family_ends_at) > unix_micros(__changed_from) - {{ reach }}, false)
        as __is_regrouped
from __flagged
{%- endmacro %}

{#- Whether a stored, active row may be due for notification although it has not changed: because
    feedback that suppressed it was removed, for example, or because the incident is now over. A
    literal bound excludes rows before the look-back, unless the watermark passes their end only
    now. -#}
{% macro _pending(task, run) %}
    {%- set due = ['__kept.notified_at is null'] -%}
    {%- set notifies_end = task.settings.completed and run.watermark is not none -%}
    {%- if notifies_end -%}
        {%- do due.append('__kept.parent_id is null and (__kept.is_parent or '
            ~ '__kept.notified_completed is null) and __kept.ends_at < '
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
        {%- set pending = pending ~ ' and __kept.ends_at > ' ~ bound -%}
    {%- endif -%}
    {{- return(pending) -}}
{% endmacro %}

{#- The rows to group: the classified rows and the affected stored rows that were not classified.
    Leaves with the same group columns may merge. A row that can only be renamed stays in its
    family. Previous parents (`kind` parent) and rows due for notification (pending) each form a
    group of their own. -#}
{% macro _leaves(task, affected, classified) %}
{%- set kind = "case when not (__affected.__is_regrouped or __affected.__is_renamed) "
    ~ "then 'pending' when __affected.is_parent then 'parent' else 'leaf' end" -%}
select
    {{ strandline._anomaly_row(task, '__classified') }},
    __classified.__is_replacing, __classified.__replaced_parent, __classified.__old,
        'leaf' as __kind,
    cast(null as string) as __kept_family, {{ strandline._direction() }} as __direction
from {{ classified }} as __classified
where {{ strandline._is_active('__classified.status') }}
union all
select
    {{ strandline._anomaly_row(task, '__affected') }},
    false, null, struct({{ strandline._anomaly_row(task, '__affected') }}), {{ kind }},
    case {{ kind }}
        when 'leaf' then if(__affected.__is_regrouped, null,
            coalesce(__affected.parent_id, __affected.anomaly_id))
        else concat({{ kind }}, ' ', __affected.anomaly_id)
    end,
    {{ strandline._direction() }}
from ({{ affected }}) as __affected
left anti join {{ classified }} as __classified on __affected.anomaly_id = __classified.anomaly_id
where __affected.__is_regrouped or __affected.__is_renamed or __affected.__is_pending
{%- endmacro %}

{#- 1 above the baseline, -1 below it, 0 if equal or unknown. -#}
{% macro _direction() -%}
case when current_value > baseline_value then 1 when current_value < baseline_value then -1
    else 0 end
{%- endmacro %}

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
__family_starts as (
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
    from __family_starts
)
select
    __leaf.*,
    __first_member.__leaf.anomaly_id as __family,
    struct(__first_member.__last, __first_member.__first, __leaf.__direction) as __family_place
from __named
{%- endmacro %}

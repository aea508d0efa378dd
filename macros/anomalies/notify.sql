{#- The rows that a run writes: those whose content differs from the stored row, and those that
    carry the notification of an incident. A former parent (`kind` parent) becomes outdated, unless
    its incident is still that of a family. -#}
{% macro _changes(task, run, classified, regrouped, notified) %}
{%- set compared = ['starts_at', 'ends_at', 'current_value', 'baseline_value', 'severity', 'labels',
    'incident_id', 'parent_id',
    'status', 'notified_at'] -%}
{%- set outbox = ['notified', 'notified_completed', 'notified_severities', 'withheld'] -%}
{%- set as_row = strandline._anomaly_row(task, 'row') -%}
with rows as (
    select {{ as_row }}, row.old, row.kind from {{ regrouped }} as row
    union all
    select {{ strandline._parent_row(task, run) }}, family.parent, 'family'
    from {{ notified }} as family
    where family.family_size > 1 or family.parent is not null
    union all
    select {{ as_row }}, row.old, 'classified'
    from {{ classified }} as row
    where not {{ strandline._is_active('row.status') }}
    union all
    select {{ strandline._anomaly_row(task, 'named.first_member') }}, named.first_member, 'named'
    from {{ notified }} as named
    left anti join {{ regrouped }} as regrouped on named.incident_id = regrouped.anomaly_id
    left anti join {{ classified }} as classified on named.incident_id = classified.anomaly_id
    where named.first_member is not null
),
notified_rows as (
    select
        {{ strandline._anomaly_row(task, 'row', {
            'status': "if(row.kind = 'parent', 'outdated', row.status)",
            'parent_id': "if(row.kind = 'leaf', nullif(incident.root_id, row.anomaly_id), "
                ~ "row.parent_id)",
            'notified_at': "if(" ~ strandline._is_active('row.status')
                ~ " and row.kind <> 'parent' and incident.is_notified, coalesce(row.notified_at, "
                ~ run.run_at ~ "), row.notified_at)",
            'notified': 'coalesce(named.notified, row.notified)',
            'notified_completed': 'coalesce(named.notified_completed, row.notified_completed)',
            'notified_severities':
                'coalesce(named.notified_severities, row.notified_severities)',
            'withheld': 'if(named.incident_id is null, row.withheld, named.withheld)',
        }) }},
        row.old
    from rows as row
    left join {{ notified }} as incident on row.incident_id = incident.incident_id
    left join {{ notified }} as named on row.anomaly_id = named.incident_id
    where row.kind <> 'parent' or incident.incident_id is null
),
compared as (
    select
        *,
        old is null or not struct({{ compared | join(', ') }})
            <=> struct({{ strandline._with_alias('old', compared) }}) as is_changed
    from notified_rows
)
select
    {{ strandline._anomaly_row(task, 'row', {
        'changed_at': 'if(row.is_changed, ' ~ run.frame_end ~ ', row.changed_at)',
        'changed_run_at': 'if(row.is_changed, ' ~ run.run_at ~ ', row.changed_run_at)',
    }) }},
    row.old.ends_at as old_ends_at
from compared as row
where row.is_changed or not struct({{ strandline._with_alias('row', outbox) }})
    <=> struct({{ strandline._with_alias('row.old', outbox) }})
{%- endmacro %}

{#- For each current incident: the time and the representing anomaly of its notifications, stored or
    new, with the stored rows of its parent and of the anomaly that it is named after. A family of
    two or more is represented by its parent (`root_id`), and an incident that had a parent keeps
    it, even with one member left. An incident is notified once, once more when it is over
    (`completed`), and at each rise of its severity above those of which was notified, unless it is
    suppressed by feedback, is too short, or lies before the look-back.

    The look-back is for history. It limits what the first run finds (`withheld`), and what becomes
    due without being found by the run. What a later run finds is new, however old it is.
    It does not suppress the end of an incident that was notified, in the first run whose watermark
    passes the end. Otherwise a look-back shorter than the gap would suppress every end. -#}
{% macro _notified_incidents(task, run, stored, regrouped) %}
{%- set settings = task.settings -%}
{%- set columns = task['keys']
    + ['alone_id', 'family_size', 'starts_at', 'ends_at', 'family_values',
    'replaced_parent', 'is_found_now'] -%}
{%- set parent_id = strandline._parent_id('incident_id') -%}
{%- set kept = 'struct(' ~ strandline._anomaly_row(task, 'kept') ~ ')' -%}
{%- set now = "named_struct('at', " ~ run.run_at ~ ", 'anomaly_id', root_id)" -%}
{%- set now_with_severity = "named_struct('severity', " ~ 'family_values.severity' ~ ", 'at', "
    ~ run.run_at ~ ", 'anomaly_id', root_id)" -%}
{%- set is_over, is_before_look_back, ends_now = 'false', 'false', 'true' -%}
{%- if settings.completed and run.watermark is not none -%}
    {%- set is_over = 'ends_at < '
        ~ strandline._micros_time(run.watermark - task.merge_max_gap) -%}
    {%- if run.previous_watermark is not none -%}
        {%- set ends_now = 'ends_at >= '
            ~ strandline._micros_time(run.previous_watermark - task.merge_max_gap) -%}
    {%- endif -%}
{%- endif -%}
{%- if run.watermark is not none and settings.notify_look_back is not none -%}
    {%- set is_before_look_back = 'ends_at <= '
        ~ strandline._micros_time(run.watermark - settings.notify_look_back)
        ~ ('' if run.previous_watermark is none else ' and not is_found_now') -%}
{%- endif -%}
{%- set severity = 'family_values.severity' -%}
{%- set stored_severity = 'if(parent is null, first_member.severity, parent.severity)' -%}
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
        first(if(kept.anomaly_id = named.incident_id, {{ kept }}, null), true) as first_member,
        first(if(kept.is_parent and named.family_size > 0, {{ kept }}, null), true) as parent,
        {%- if settings.feedback %}
        count_if(
            feedback.anomaly_id is not null
            and named.name in (named.incident_id, {{ strandline._parent_id('named.incident_id') }})
        ) > 0 as is_suppressed,
        count_if(feedback.anomaly_id is not null) > 0 as is_suppressed_alone
        {%- else %}
        false as is_suppressed, false as is_suppressed_alone
        {%- endif %}
    from named
    left join (
        select * from ({{ stored }}) as kept left semi join named on kept.anomaly_id = named.name
    ) as kept on named.name = kept.anomaly_id
    {%- if settings.feedback %}
    left join (select distinct anomaly_id from {{ settings.feedback }}) as feedback
        on named.name = feedback.anomaly_id
    {%- endif %}
    group by named.incident_id
),
evaluated as (
    select
        * except (is_suppressed, is_suppressed_alone),
        if(family_size > 1 or parent is not null, {{ parent_id }}, alone_id) as root_id,
        first_member.notified is not null or first_member.notified_at is not null as was_notified,
        {{ is_before_look_back }} as is_before_look_back, {{ ends_now }} as ends_now,
        {{ stored_severity }} as stored_severity,
        family_size > 0 and coalesce({{ strandline._is_above(severity, stored_severity) }}, false)
            and coalesce(forall(
                first_member.notified_severities,
                known -> coalesce({{ strandline._is_above(severity, 'known.severity') }}, true)
            ), true) as is_raised,
        is_suppressed or parent is null and is_suppressed_alone
            or unix_micros(ends_at) - unix_micros(starts_at) < {{ settings.min_length }}
            as is_not_notifiable
    from ({{ strandline._replaced_parents(stored, regrouped) }})
)
select
    * except (
        was_notified, is_before_look_back, ends_now, is_not_notifiable, is_found_now, is_raised,
        stored_severity
    ),
    coalesce(first_member.notified,
        if(was_notified or is_not_notifiable or is_before_look_back, null, {{ now }})) as notified,
    case
        when not was_notified and not is_not_notifiable and not is_before_look_back
            then array({{ now_with_severity }})
        when was_notified and not is_not_notifiable and is_raised
            then concat(
                coalesce(first_member.notified_severities, array(named_struct(
                    'severity', stored_severity, 'at', first_member.notified.at,
                    'anomaly_id', first_member.notified.anomaly_id
                ))),
                array({{ now_with_severity }})
            )
        else first_member.notified_severities
    end as notified_severities,
    if(
        was_notified or not (is_not_notifiable or is_before_look_back), null,
        coalesce(first_member.withheld,
            if(is_found_now and is_before_look_back and not is_not_notifiable, {{ now }}, null))
    ) as withheld,
    coalesce(
        first_member.notified_completed,
        if({{ is_over }} and not is_not_notifiable
            and (not is_before_look_back or was_notified and ends_now), {{ now }}, null)
    ) as notified_completed,
    was_notified or not (is_not_notifiable or is_before_look_back) as is_notified
from evaluated
{%- endmacro %}

{#- Whether a severity is above another: by their numbers, or by the order of known words; null if
    they cannot be compared. Words that are not known, such as P1, have no order. -#}
{% macro _is_above(severity, other) %}
    {%- set ranks = [] -%}
    {%- for text in [severity, other] -%}
        {%- set cases = [] -%}
        {%- for words in strandline._severity_words() -%}
            {%- do cases.append("when lower(trim(" ~ text ~ ")) in ('" ~ words | join("', '")
                ~ "') then " ~ loop.index) -%}
        {%- endfor -%}
        {%- do ranks.append('case ' ~ cases | join(' ') ~ ' end') -%}
    {%- endfor -%}
    {{- return('coalesce(try_cast(' ~ severity ~ ' as double) > try_cast(' ~ other
        ~ ' as double), ' ~ ranks[0] ~ ' > ' ~ ranks[1] ~ ')') -}}
{% endmacro %}

{#- The words of severities that are in use, from the lowest to the highest. -#}
{% macro _severity_words() %}
    {{- return([
        ['debug'], ['info', 'information', 'informational', 'notice', 'default'],
        ['low', 'minor'], ['medium', 'moderate', 'warning', 'warn'],
        ['high', 'major', 'error'], ['critical', 'severe', 'fatal', 'emergency'],
    ]) -}}
{% endmacro %}

{#- The regrouped incidents (`family_size` at least 1) and the pending ones (0), one row for each
    incident. `alone_id` is the pending row, or the only member of the family. -#}
{% macro _current_incidents(task, regrouped) %}
select
    incident_id, min(if(family_size > 1, incident_id, anomaly_id)) as alone_id,
    max(if(kind = 'leaf', family_size, 0)) as family_size,
    {% for column in task['keys'] %}first({{ column }}) as {{ column }}, {% endfor -%}
    first(family_starts_at) as starts_at, first(family_ends_at) as ends_at,
    first(family_values) as family_values,
    max(replaced_parent) filter (where anomaly_id = incident_id) as replaced_parent,
    bool_or(kind = 'leaf' and (
        old is null or not {{ strandline._is_active('old.status') }}
    )) as is_found_now
from {{ regrouped }}
where kind = 'leaf' or kind = 'pending' and parent_id is null
group by incident_id
{%- endmacro %}

{#- Each incident with the parent that its new parent replaces: the parent of the anomaly that the
    incident's anomaly replaced, if it is outdated, also if this run makes it outdated. -#}
{% macro _replaced_parents(stored, regrouped) %}
select
    candidate.*,
    if(continued.parent_id is null
        and (outdated.anomaly_id is not null or former.anomaly_id is not null),
        candidate.candidate_id, null) as replaces
from (
    select known.*, coalesce(known.replaced_parent, replaced.parent_id) as candidate_id
    from known
    left join (
        select anomaly_id, parent_id
        from ({{ stored }})
        where status = 'outdated' and parent_id is not null
    ) as replaced on known.first_member.replaces = replaced.anomaly_id and known.family_size > 1
) as candidate
left join (
    select distinct {{ strandline._parent_id('incident_id') }} as parent_id
    from {{ regrouped }}
    where kind = 'leaf'
) as continued on candidate.candidate_id = continued.parent_id
left join (select anomaly_id from {{ regrouped }} where kind = 'parent') as former
    on candidate.candidate_id = former.anomaly_id
left join (select anomaly_id from ({{ stored }}) where status = 'outdated' and is_parent)
    as outdated
    on candidate.candidate_id = outdated.anomaly_id
{%- endmacro %}

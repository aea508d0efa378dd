{#- The rows that a run writes: those whose content differs from the stored row, and those that
    carry the notification of an incident. A previous parent (`kind` parent) becomes outdated,
    unless its incident is still that of a family. -#}
{% macro _changes(task, run, classified, regrouped, notified) %}
{%- set compared = ['starts_at', 'ends_at', 'current_value', 'baseline_value', 'severity', 'labels',
    'incident_id', 'parent_id',
    'status', 'notified_at'] -%}
{%- set outbox = ['notified', 'notified_completed', 'notified_severities', 'withheld'] -%}
{%- set as_row = strandline._anomaly_row(task, '__row') -%}
with __rows as (
    select {{ as_row }}, __row.__old, __row.__kind from {{ regrouped }} as __row
    union all
    select {{ strandline._parent_row(task, run) }}, __family.__parent, 'family'
    from {{ notified }} as __family
    where __family.__family_size > 1 or __family.__parent is not null
    union all
    select {{ as_row }}, __row.__old, 'classified'
    from {{ classified }} as __row
    where not {{ strandline._is_active('__row.status') }}
    union all
    select {{ strandline._anomaly_row(task, '__named.__first_member') }},
        __named.__first_member, 'named'
    from {{ notified }} as __named
    left anti join {{ regrouped }} as __regrouped on __named.incident_id = __regrouped.anomaly_id
    left anti join {{ classified }} as __classified on __named.incident_id = __classified.anomaly_id
    where __named.__first_member is not null
),
__notified_rows as (
    select
        {{ strandline._anomaly_row(task, '__row', {
            'status': "if(__row.__kind = 'parent', 'outdated', __row.status)",
            'parent_id': "if(__row.__kind = 'leaf', "
                ~ "nullif(__incident.__root_id, __row.anomaly_id), __row.parent_id)",
            'notified_at': "if(" ~ strandline._is_active('__row.status')
                ~ " and __row.__kind <> 'parent' and __incident.__is_notified, "
                ~ "coalesce(__row.notified_at, " ~ run.run_at ~ "), __row.notified_at)",
            'notified': 'coalesce(__named.notified, __row.notified)',
            'notified_completed': 'coalesce(__named.notified_completed, __row.notified_completed)',
            'notified_severities':
                'coalesce(__named.notified_severities, __row.notified_severities)',
            'withheld': 'if(__named.incident_id is null, __row.withheld, __named.withheld)',
        }) }},
        __row.__old
    from __rows as __row
    left join {{ notified }} as __incident on __row.incident_id = __incident.incident_id
    left join {{ notified }} as __named on __row.anomaly_id = __named.incident_id
    where __row.__kind <> 'parent' or __incident.incident_id is null
),
__compared as (
    select
        *,
        __old is null or not struct({{ compared | join(', ') }})
            <=> struct({{ strandline._with_alias('__old', compared) }}) as __is_changed
    from __notified_rows
)
select
    {{ strandline._anomaly_row(task, '__row', {
        'changed_at': 'if(__row.__is_changed, ' ~ run.analysed_end ~ ', __row.changed_at)',
        'changed_run_at': 'if(__row.__is_changed, ' ~ run.run_at ~ ', __row.changed_run_at)',
    }) }},
    __row.__old.ends_at as __old_ends_at
from __compared as __row
where __row.__is_changed or not struct({{ strandline._with_alias('__row', outbox) }})
    <=> struct({{ strandline._with_alias('__row.__old', outbox) }})
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
{%- set columns = strandline._all_quoted(task['keys'])
    + ['__alone_id', '__family_size', 'starts_at', 'ends_at', '__family_values',
    '__replaced_parent', '__is_found_now'] -%}
{%- set parent_id = strandline._parent_id('incident_id') -%}
{%- set kept = 'struct(' ~ strandline._anomaly_row(task, '__kept') ~ ')' -%}
{%- set now = "named_struct('at', " ~ run.run_at ~ ", 'anomaly_id', __root_id)" -%}
{%- set now_with_severity = "named_struct('severity', " ~ '__family_values.severity' ~ ", 'at', "
    ~ run.run_at ~ ", 'anomaly_id', __root_id)" -%}
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
        ~ ('' if run.previous_watermark is none else ' and not __is_found_now') -%}
{%- endif -%}
{%- set severity = '__family_values.severity' -%}
{%- set stored_severity = 'if(__parent is null, __first_member.severity, __parent.severity)' -%}
with __incidents as (
    {{ strandline._current_incidents(task, regrouped) }}
),
__named as (
    select *, explode(array_distinct(array(incident_id, __alone_id, {{ parent_id }}))) as __name
    from __incidents
),
__known as (
    select
        __named.incident_id,
        {% for column in columns %}first(__named.{{ column }}) as {{ column }}, {% endfor %}
        first(if(__kept.anomaly_id = __named.incident_id, {{ kept }}, null), true)
            as __first_member,
        first(if(__kept.is_parent and __named.__family_size > 0, {{ kept }}, null), true)
            as __parent,
        {%- if settings.feedback %}
        count_if(
            __feedback.anomaly_id is not null
            and __named.__name in (
                __named.incident_id, {{ strandline._parent_id('__named.incident_id') }}
            )
        ) > 0 as __is_suppressed,
        count_if(__feedback.anomaly_id is not null) > 0 as __is_suppressed_alone
        {%- else %}
        false as __is_suppressed, false as __is_suppressed_alone
        {%- endif %}
    from __named
    left join (
        select * from ({{ stored }}) as __kept
        left semi join __named on __kept.anomaly_id = __named.__name
    ) as __kept on __named.__name = __kept.anomaly_id
    {%- if settings.feedback %}
    left join (select distinct anomaly_id from {{ settings.feedback }}) as __feedback
        on __named.__name = __feedback.anomaly_id
    {%- endif %}
    group by __named.incident_id
),
__evaluated as (
    select
        * except (__is_suppressed, __is_suppressed_alone),
        if(__family_size > 1 or __parent is not null, {{ parent_id }}, __alone_id) as __root_id,
        __first_member.notified is not null or __first_member.notified_at is not null
            as __was_notified,
        {{ is_before_look_back }} as __is_before_look_back, {{ ends_now }} as __ends_now,
        {{ stored_severity }} as __stored_severity,
        __family_size > 0 and coalesce({{ strandline._is_above(severity, stored_severity) }}, false)
            and coalesce(forall(
                __first_member.notified_severities,
                __known -> coalesce({{ strandline._is_above(severity, '__known.severity') }}, true)
            ), true) as __is_raised,
        __is_suppressed or __parent is null and __is_suppressed_alone
            or unix_micros(ends_at) - unix_micros(starts_at) < {{ settings.min_length }}
            as __is_not_notifiable
    from ({{ strandline._replaced_parents(stored, regrouped) }})
)
select
    * except (
        __was_notified, __is_before_look_back, __ends_now, __is_not_notifiable, __is_found_now,
        __is_raised, __stored_severity
    ),
    coalesce(__first_member.notified,
        if(__was_notified or __is_not_notifiable or __is_before_look_back, null, {{ now }})
    ) as notified,
    case
        when not __was_notified and not __is_not_notifiable and not __is_before_look_back
            then array({{ now_with_severity }})
        when __was_notified and not __is_not_notifiable and __is_raised
            then concat(
                coalesce(__first_member.notified_severities, array(named_struct(
                    'severity', __stored_severity, 'at', __first_member.notified.at,
                    'anomaly_id', __first_member.notified.anomaly_id
                ))),
                array({{ now_with_severity }})
            )
        else __first_member.notified_severities
    end as notified_severities,
    if(
        __was_notified or not (__is_not_notifiable or __is_before_look_back), null,
        coalesce(__first_member.withheld,
            if(__is_found_now and __is_before_look_back and not __is_not_notifiable, {{ now }},
                null))
    ) as withheld,
    coalesce(
        __first_member.notified_completed,
        if({{ is_over }} and not __is_not_notifiable
            and (not __is_before_look_back or __was_notified and __ends_now), {{ now }}, null)
    ) as notified_completed,
    __was_notified or not (__is_not_notifiable or __is_before_look_back) as __is_notified
from __evaluated
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
    incident_id, min(if(__family_size > 1, incident_id, anomaly_id)) as __alone_id,
    max(if(__kind = 'leaf', __family_size, 0)) as __family_size,
    {% for column in strandline._all_quoted(task['keys']) -%}
        first({{ column }}) as {{ column }}, {% endfor -%}
    first(__family_starts_at) as starts_at, first(__family_ends_at) as ends_at,
    first(__family_values) as __family_values,
    max(__replaced_parent) filter (where anomaly_id = incident_id) as __replaced_parent,
    bool_or(__kind = 'leaf' and (
        __old is null or not {{ strandline._is_active('__old.status') }}
    )) as __is_found_now
from {{ regrouped }}
where __kind = 'leaf' or __kind = 'pending' and parent_id is null
group by incident_id
{%- endmacro %}

{#- Each incident with the parent that its new parent replaces: the parent of the anomaly that the
    incident's anomaly replaced, if it is outdated, also if this run makes it outdated. -#}
{% macro _replaced_parents(stored, regrouped) %}
select
    __candidate.*,
    if(__continued.parent_id is null
        and (__outdated.anomaly_id is not null or __previous_parent.anomaly_id is not null),
        __candidate.__candidate_id, null) as replaces
from (
    select __known.*, coalesce(__known.__replaced_parent, __replaced.parent_id) as __candidate_id
    from __known
    left join (
        select anomaly_id, parent_id
        from ({{ stored }})
        where status = 'outdated' and parent_id is not null
    ) as __replaced
        on __known.__first_member.replaces = __replaced.anomaly_id and __known.__family_size > 1
) as __candidate
left join (
    select distinct {{ strandline._parent_id('incident_id') }} as parent_id
    from {{ regrouped }}
    where __kind = 'leaf'
) as __continued on __candidate.__candidate_id = __continued.parent_id
left join (select anomaly_id from {{ regrouped }} where __kind = 'parent') as __previous_parent
    on __candidate.__candidate_id = __previous_parent.anomaly_id
left join (select anomaly_id from ({{ stored }}) where status = 'outdated' and is_parent)
    as __outdated
    on __candidate.__candidate_id = __outdated.anomaly_id
{%- endmacro %}

{#- Compares the detections of the analysed ranges (`found`) with the stored anomalies there. One
    row for each anomaly that is created, outdated or updated, with its stored row (`old`). An
    invalid detection gives a row with a `fault` instead.

    stored    detected
    none      yes                              created
    yes       yes, and changed significantly   the stored one outdated, the next generation created
    yes       yes, and changed or outdated     updated
    found     no, and wholly in a range        outdated
    else                                       no row

    A created or updated anomaly is `ignored` if its detection is. An anomaly that has been ignored
    from the beginning and is now active is treated as new: if it replaces another one, it starts an
    incident. -#}
{% macro _classified(task, run, stored, found) %}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
{%- set identity = strandline._all_quoted(task['keys']) + ['starts_at', 'ends_at'] -%}
{%- set created = strandline._new_anomaly(run) -%}
{%- set generation = 'coalesce(__candidate.__stored.generation + 1, 0)' -%}
{%- do created.update({
    'anomaly_id': strandline._anomaly_id(task, '__candidate', generation),
    'generation': generation, 'replaces': '__candidate.__stored.anomaly_id',
}) -%}
{%- for column in task['keys'] + ['starts_at', 'ends_at'] -%}
    {%- do created.update({column: '__candidate.' ~ strandline._quoted(column)}) -%}
{%- endfor -%}
{%- set given = {'status': "case when __row_outcome = 'outdated' then __row_outcome when "
    ~ "__candidate.__found.__is_ignored then 'ignored' when __row_outcome = 'created' then 'new' "
    ~ "else 'updated' end"} -%}
{%- for column in values -%}
    {%- do given.update({column: "if(__row_outcome = 'outdated', __candidate.__stored." ~ column
        ~ ', __candidate.__found.' ~ column ~ ')'}) -%}
{%- endfor -%}
{%- for column in created if column != 'status' -%}
    {%- do given.update({column: "if(__row_outcome = 'created', " ~ created[column]
        ~ ', __candidate.__stored.' ~ strandline._quoted(column) ~ ')'}) -%}
{%- endfor -%}
with __candidates as (
    select
        {{ identity | join(', ') }},
        count(__found) as __copies, min(__found) as __found,
        max_by(__stored, __stored.generation) as __stored
    from (
        select {{ identity | join(', ') }},
        struct({{ values | join(', ') }}, __is_ignored) as __found, null as __stored
        from {{ found }}
        union all
        select {{ identity | join(', ') }}, null as __found,
        struct({{ strandline._anomaly_row(task, '__kept') }}) as __stored
        from ({{ stored }}) as __kept
        where not is_parent and {{ strandline._in_ranges(run.stored_ranges) }}
    )
    group by {{ identity | join(', ') }}
),
__outcomes as (
    select
        *,
        case
            when __found is null then null
            when starts_at is null or ends_at is null or starts_at >= ends_at then 'length'
            when __copies > 1 then 'twice'
        end as __fault,
        case
            when __found is null and __stored.status <> 'outdated'
                and {{ strandline._in_ranges(run.stored_ranges, is_wholly=true) }}
                    then 'outdated'
            when __found is null then 'unchanged'
            when __stored is null then 'created'
            when {{ strandline._is_significant(task.settings, '__stored.current_value',
                '__found.current_value') }} then 'replaced'
            when __stored.status = 'outdated' or not __found <=> struct(
                {{ strandline._with_alias('__stored', values) }}, __stored.status = 'ignored'
            ) then 'updated'
            else 'unchanged'
        end as __outcome
    from __candidates
),
__changed_candidates as (
    select
        *,
        explode(case
            when __fault is not null then array('created')
            when __outcome = 'replaced' then array('created', 'outdated')
            else array(__outcome)
        end) as __row_outcome
    from __outcomes
    where __fault is not null or __outcome <> 'unchanged'
)
select
    {{ strandline._anomaly_row(task, '__candidate.__stored', given) }},
    case __row_outcome
        when 'created' then __outcome = 'replaced'
        else __candidate.__stored.incident_id is null and __candidate.__stored.replaces is not null
    end as __is_replacing,
    if(__row_outcome = 'created', __candidate.__stored.parent_id, null) as __replaced_parent,
    if(__row_outcome = 'created', null, __candidate.__stored) as __old,
    __fault
from __changed_candidates as __candidate
{%- endmacro %}

{#- The distinct detections of the analysed ranges, and those without an end, which fail the
    run. -#}
{% macro _found(task, run) %}
    {{- return('select distinct * from (' ~ strandline._detected(task) ~ ') where '
        ~ strandline._in_ranges(run.ranges) ~ ' or ends_at is null') -}}
{% endmacro %}

{#- The identity of an anomaly: a hash of key, start, end and generation, so that every run computes
    the same one. -#}
{% macro _anomaly_id(task, alias, generation) %}
    {%- set values = [] -%}
    {%- for column in strandline._all_quoted(task['keys']) -%}
        {%- do values.append(alias ~ '.' ~ column) -%}
    {%- endfor -%}
    {%- for column in ['starts_at', 'ends_at'] -%}
        {%- do values.append('unix_micros(' ~ alias ~ '.' ~ column ~ ')') -%}
    {%- endfor -%}
    {{- return(strandline._row_id(values + [generation])) -}}
{% endmacro %}

{#- Whether a change of the value makes another anomaly: its magnitude is strictly above both
    thresholds. An unset threshold means never; 0 means any change. A change that cannot be measured
    is above any threshold. -#}
{% macro _is_significant(settings, stored, found) %}
    {%- if settings.absolute is none or settings.percentage is none -%}
        {{- return('false') -}}
    {%- endif -%}
    {%- set change = 'abs(' ~ found ~ ' - ' ~ stored ~ ')' -%}
    {%- set unmeasurable = [] -%}
    {%- for value in [stored, found] -%}
        {%- do unmeasurable.append(value ~ " is null or abs(" ~ value
            ~ ") = double('Infinity')") -%}
    {%- endfor -%}
    {%- set is_above = 'true' if settings.percentage | replace('D', '') | float == 0
        else stored ~ ' = 0 or round(100 * ' ~ change
        ~ ' / abs(nullif(' ~ stored ~ ', 0)), 4) > ' ~ settings.percentage -%}
    {{- return('not (' ~ stored ~ ' <=> ' ~ found ~ ') and (' ~ unmeasurable | join(' or ')
        ~ ' or (' ~ change ~ ' > '
        ~ settings.absolute ~ ' and (' ~ is_above ~ ')))') -}}
{% endmacro %}

{#- A summary of the classified rows: how many rows change, the earliest start among them, and how
    many were found again; of the stored rows: how many may be due for notification, and the
    earliest end among them; and how many detections were found, and how many of them are ignored.
    Fails if detections are invalid. -#}
{% macro _classified_summary(task, run, stored, classified, found) %}
    {%- set examples = [] -%}
    {%- for fault in ['length', 'twice'] -%}
        {%- do examples.append("count_if(__fault = '" ~ fault ~ "'), min(to_json(struct("
            ~ strandline._all_quoted(task['keys']) | join(', ')
            ~ ", starts_at, ends_at), map('ignoreNullFields', 'false'))) filter (where __fault = '"
            ~ fault ~ "')") -%}
    {%- endfor -%}
    {%- set row = run_query("select * from (select count(*), unix_micros(min(starts_at)), "
        ~ "count_if(not " ~ strandline._is_active('__old.status') ~ " and "
        ~ strandline._is_active('status') ~ "), "
        ~ examples | join(', ') ~ " from " ~ classified
        ~ ") cross join (select count(*), unix_micros(min(__kept.ends_at)) from (" ~ stored
        ~ ") as __kept where " ~ strandline._is_active('__kept.status') ~ " and ("
        ~ strandline._pending(task, run) ~ ")) cross join (select count(*), count_if(__is_ignored) "
        ~ "from " ~ found ~ ")").rows[0] -%}
    {%- set faults = [] -%}
    {%- if row[3] -%}
        {%- do faults.append("there are detections without a start or an end, or whose end is not "
            ~ "after their start (" ~ row[3] | int ~ "), such as " ~ row[4]
            ~ "; leave them out in a staging model") -%}
    {%- endif -%}
    {%- if row[5] -%}
        {%- do faults.append("there are detections of one key, start and end whose values differ ("
            ~ row[5] | int ~ "), such as " ~ row[6]
            ~ "; add a column that distinguishes them to `keys`, or keep one of them") -%}
    {%- endif -%}
    {%- if faults -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}
    {%- do strandline._refuse('anomalies in ' ~ model.name, faults) -%}
    {{- return({
        'rows': row[0] | int, 'earliest_start': none if row[1] is none else row[1] | int,
        'found_again': row[2] | int,
        'pending': row[7] | int, 'earliest_pending': none if row[8] is none else row[8] | int,
        'found': row[9] | int, 'ignored': row[10] | int,
    }) -}}
{% endmacro %}

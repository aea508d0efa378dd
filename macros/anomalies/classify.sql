{#- What the detections of the frame change in the anomalies of the frame, one row an anomaly that is created, outdated or
    updated, with what was stored of it (`old`) and, in place of such a row, what is wrong with a detection (`fault`).

    stored    detected
    none      yes                              created
    yes       yes, and changed significantly   the stored one outdated, the next generation created
    yes       yes, and changed or outdated     updated
    found     no, and wholly in the frame      outdated
    else                                       no row

    What is created or updated is `ignored` where the detection is. One that was ignored from its beginning and holds now
    counts as found for the first time: if it replaces another, it begins an incident. -#}
{% macro _classified(task, run, stored) %}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
{%- set spot = task['keys'] + ['starts_at', 'ends_at'] -%}
{%- set created = strandline._new_anomaly(run) -%}
{%- do created.update({'anomaly_id': strandline._anomaly_id(task, 'spots', 'coalesce(spots.stored.generation + 1, 0)'),
    'generation': 'coalesce(spots.stored.generation + 1, 0)', 'replaces': 'spots.stored.anomaly_id'}) -%}
{%- for column in spot -%}{%- do created.update({column: 'spots.' ~ column}) -%}{%- endfor -%}
{%- set given = {'status': "case when becomes = 'outdated' then becomes when spots.found.is_ignored then 'ignored'"
    ~ " when becomes = 'created' then 'new' else 'updated' end"} -%}
{%- for column in values -%}
    {%- do given.update({column: "if(becomes = 'outdated', spots.stored." ~ column ~ ', spots.found.' ~ column ~ ')'}) -%}
{%- endfor -%}
{%- for column in created if column != 'status' -%}
    {%- do given.update({column: "if(becomes = 'created', " ~ created[column] ~ ', spots.stored.' ~ column ~ ')'}) -%}
{%- endfor -%}
with found as (
    select distinct * from ({{ strandline._detected(task) }})
    where {{ strandline._in_frame(run.frame) }} or ends_at is null
),
spots as (
    select
        {{ spot | join(', ') }},
        count(found) as copies, min(found) as found, max_by(stored, stored.generation) as stored
    from (
        select {{ spot | join(', ') }}, struct({{ values | join(', ') }}, is_ignored) as found, null as stored
        from found
        union all
        select {{ spot | join(', ') }}, null as found, struct({{ strandline._anomaly_row(task, 'kept') }}) as stored
        from ({{ stored }}) as kept
        where not is_parent and {{ strandline._in_frame(run.frame) }}
    )
    group by {{ spot | join(', ') }}
),
outcomes as (
    select
        *,
        case
            when found is null then null
            when starts_at is null or ends_at is null or starts_at >= ends_at then 'length'
            when copies > 1 then 'twice'
        end as fault,
        case
            when found is null and stored.status <> 'outdated'
                {%- if run.frame.start is not none %} and starts_at >= {{ strandline._micros_time(run.frame.start) }}{% endif %} then 'outdated'
            when found is null then 'left'
            when stored is null then 'created'
            when {{ strandline._is_significant(task.settings, 'stored.current_value', 'found.current_value') }} then 'replaced'
            when stored.status = 'outdated' or not found <=> struct(
                {{ strandline._with_alias('stored', values) }}, stored.status = 'ignored'
            ) then 'updated'
            else 'left'
        end as outcome
    from spots
),
becoming as (
    select
        *,
        explode(case
            when fault is not null then array('created')
            when outcome = 'replaced' then array('created', 'outdated')
            else array(outcome)
        end) as becomes
    from outcomes
    where fault is not null or outcome <> 'left'
)
select
    {{ strandline._anomaly_row(task, 'spots.stored', given) }},
    case becomes
        when 'created' then outcome = 'replaced'
        else spots.stored.incident_id is null and spots.stored.replaces is not null
    end as is_replacing,
    if(becomes = 'created', spots.stored.parent_id, null) as replaced_parent,
    if(becomes = 'created', null, spots.stored) as old,
    fault
from becoming as spots
{%- endmacro %}

{#- The identity of an anomaly: the same for the same key, start, end and generation, whoever
    computes it. -#}
{% macro _anomaly_id(task, alias, generation) %}
    {%- set parts = [] -%}
    {%- for column in task['keys'] -%}{%- do parts.append('cast(' ~ alias ~ '.' ~ column ~ ' as string)') -%}{%- endfor -%}
    {%- for column in ['starts_at', 'ends_at'] -%}{%- do parts.append('cast(unix_micros(' ~ alias ~ '.' ~ column ~ ') as string)') -%}{%- endfor -%}
    {{- return('sha2(to_json(array(' ~ parts | join(', ') ~ ', cast(' ~ generation ~ ' as string))), 256)') -}}
{% endmacro %}

{#- Whether a value has changed by so much that an anomaly is another one: above both thresholds,
    strictly and by magnitude. Unset means never; 0 means any change; what cannot be measured is
    above any threshold. -#}
{% macro _is_significant(settings, stored, found) %}
    {%- if settings.absolute is none or settings.percentage is none -%}{{- return('false') -}}{%- endif -%}
    {%- set change = 'abs(' ~ found ~ ' - ' ~ stored ~ ')' -%}
    {%- set unmeasurable = [] -%}
    {%- for value in [stored, found] -%}
        {%- do unmeasurable.append(value ~ " is null or abs(" ~ value ~ ") = double('Infinity')") -%}
    {%- endfor -%}
    {%- set is_above = 'true' if settings.percentage | replace('D', '') | float == 0 else stored ~ ' = 0 or round(100 * ' ~ change
        ~ ' / abs(nullif(' ~ stored ~ ', 0)), 4) > ' ~ settings.percentage -%}
    {{- return('not (' ~ stored ~ ' <=> ' ~ found ~ ') and (' ~ unmeasurable | join(' or ') ~ ' or (' ~ change ~ ' > '
        ~ settings.absolute ~ ' and (' ~ is_above ~ ')))') -}}
{% endmacro %}

{#- What a run has to know of what it judged: how many rows change, from when on, and whether some
    are found again; and of what is stored: how many rows may wait to be told, and since when.
    Detections that cannot be judged stop it here. -#}
{% macro _classified_summary(task, run, stored, judged) %}
    {%- set examples = [] -%}
    {%- for fault in ['length', 'twice'] -%}
        {%- do examples.append("count_if(fault = '" ~ fault ~ "'), min(to_json(struct(" ~ task['keys'] | join(', ')
            ~ ", starts_at, ends_at), map('ignoreNullFields', 'false'))) filter (where fault = '" ~ fault ~ "')") -%}
    {%- endfor -%}
    {%- set row = run_query("select * from (select count(*), unix_micros(min(starts_at)), count_if(not " ~ strandline._is_active('old.status') ~ " and " ~ strandline._is_active('status') ~ "), "
        ~ examples | join(', ') ~ " from " ~ judged ~ ") cross join (select count(*), unix_micros(min(kept.ends_at)) from (" ~ stored
        ~ ") as kept where " ~ strandline._is_active('kept.status') ~ " and (" ~ strandline._pending(task, run) ~ "))").rows[0] -%}
    {%- set faults = [] -%}
    {%- if row[3] -%}
        {%- do faults.append("there are detections without a start or an end, or that do not end after they begin (" ~ row[3] | int ~ "), such as " ~ row[4]
            ~ "; leave them out in a staging model") -%}
    {%- endif -%}
    {%- if row[5] -%}
        {%- do faults.append("there are detections of one key, start and end whose values differ (" ~ row[5] | int ~ "), such as " ~ row[6]
            ~ "; add what tells them apart to `keys`, or keep one of them") -%}
    {%- endif -%}
    {%- if faults -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}
    {%- do strandline._refuse('anomalies in ' ~ model.name, faults) -%}
    {{- return({
        'rows': row[0] | int, 'since': none if row[1] is none else row[1] | int, 'found_again': row[2] | int,
        'pending': row[7] | int, 'pending_since': none if row[8] is none else row[8] | int,
    }) -}}
{% endmacro %}

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
{% macro _judged(task, run, stored) %}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
{%- set spot = task.key + ['starts_at', 'ends_at'] -%}
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

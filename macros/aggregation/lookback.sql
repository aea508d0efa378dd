{#- Arrivals that become visible after a greater one (`arrival_lookback`).

    A row of the base table stores which recent events it counts: `agg_recent` has the arrival and a
    hash of the values of each event above `agg_read_above`, which is the watermark less the
    lookback when the row was written. A run reads the source above the greatest `agg_read_above`
    and leaves out what is stored. So an event that is removed from the source changes nothing, and
    no event is counted twice. Roll-ups recompute the partitions of all upstream rows above their
    own watermark less the lookback. -#}

{#- The lookback as {number} or {seconds}, or none. -#}
{% macro _arrival_lookback(lookback, event_id, buffer_size, retention, faults) %}
    {%- if lookback is none -%}{{- return(none) -}}{%- endif -%}
    {%- set given = "`arrival_lookback` is '" ~ lookback ~ "'" -%}
    {%- set micros = (strandline._period(lookback).fixed or 0) if lookback is string else 0 -%}
    {%- if lookback is boolean or (lookback is integer and lookback < 1)
        or (lookback is not integer and (not micros or micros % 1000000)) -%}
        {%- do faults.append(given ~ "; write by how much a number may be less than one that is "
            ~ "read already: a whole number from 1, or for TIMESTAMPs a length of time of whole "
            ~ "seconds, such as '10 minutes'") -%}
    {%- endif -%}
    {%- if event_id is not none -%}
        {%- do faults.append(given ~ ", and with `event_id` the first arrival of an event counts, "
            ~ "which may become visible after the second; deduplicate in a staging model, or "
            ~ "remove one of them") -%}
    {%- endif -%}
    {%- if buffer_size is not none -%}
        {%- do faults.append(given ~ ", and `buffer_size` depends on the order of arrival; remove "
            ~ "one of them") -%}
    {%- endif -%}
    {%- if retention.values() | reject('none') | list -%}
        {%- do faults.append(given ~ ", and `retention` removes rows which a longer duration may "
            ~ "have to read again; remove one of them") -%}
    {%- endif -%}
    {{- return({'number': lookback} if lookback is integer else {'seconds': micros // 1000000}) -}}
{% endmacro %}

{#- The fault of a lookback that does not fit the type of the arrival. -#}
{% macro _lookback_faults(lookback, column, type) %}
    {%- if lookback is none or type is none -%}{{- return([]) -}}{%- endif -%}
    {%- set given = 'a number' if lookback.get('number') else 'a length of time' -%}
    {%- set fitting = 'a length of time' if type == 'timestamp' else 'a number'
        if modules.re.match('(tinyint|smallint|int|bigint|decimal)', type) else none -%}
    {%- if given == fitting -%}{{- return([]) -}}{%- endif -%}
    {{- return(["`arrival_lookback` is " ~ given ~ ", and " ~ column ~ " is " ~ type ~ "; "
        ~ {'a number': "write a whole number",
            'a length of time': "write a length of time, such as '10 minutes'"}.get(fitting,
            "it needs whole numbers or TIMESTAMPs as `arrival`")]) -}}
{% endmacro %}

{#- An arrival less the lookback. Whole numbers become BIGINT, so that none is out of range. -#}
{% macro _less_lookback(task, arrival) %}
    {%- set lookback = task.arrival_lookback -%}
    {%- if lookback.get('seconds') -%}
        {{- return('(' ~ arrival ~ " - interval '" ~ lookback.seconds ~ "' second)") -}}
    {%- endif -%}
    {%- if lookback.type.startswith('decimal') -%}
        {{- return('cast(' ~ arrival ~ ' - ' ~ lookback.number ~ ' as ' ~ lookback.type
            ~ ')') -}}
    {%- endif -%}
    {{- return('(cast(' ~ arrival ~ ' as bigint) - ' ~ lookback.number ~ 'L)') -}}
{% endmacro %}

{#- Above which arrival a roll-up looks for changed upstream rows. -#}
{% macro _rollup_floor(task, watermark) %}
    {{- return(strandline._less_lookback(task, watermark) if task.get('arrival_lookback')
        else watermark) -}}
{% endmacro %}

{#- The columns of a base table with a lookback, beside those of the parts. -#}
{% macro _lookback_columns() %}
    {{- return(['agg_read_above', 'agg_recent']) -}}
{% endmacro %}

{#- These columns of one row: from events (partial) or from stored rows (merge). -#}
{% macro _recent_events(task, mode, above) -%}
    {%- set found = 'struct(agg_event_arrival as arrival, ' ~ strandline._event_hash(task)
        ~ ' as content)' -%}
    {%- if mode == 'partial' -%}
        max({{ above }}) as agg_read_above,
        collect_list(if(agg_event_arrival > {{ above }}, {{ found }}, null)) as agg_recent,
    {%- else -%}
        greatest(max(agg_read_above), {{ above }}) as agg_read_above,
        filter(flatten(collect_list(agg_recent)), __each -> __each.arrival > {{ above }})
            as agg_recent,
    {%- endif -%}
{%- endmacro %}

{#- What an event adds to its bucket and key, as a hash: events of one arrival and hash are
    interchangeable. -#}
{% macro _event_hash(task) %}
    {{- return('xxhash64(' ~ (['agg_event_time']
        + (['agg_event_zone'] if task.time_kind == 'text' else [])
        + task.arguments) | join(', ') ~ ')') -}}
{% endmacro %}

{#- What a run knows of the events that are counted: above which arrival the rows of the base table
    say it, and the watermark. None before the first event. -#}
{% macro _counted_state(relation, task, watermark) %}
    {%- if not task.get('arrival_lookback') or watermark is none -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({'relation': relation, 'watermark': watermark,
        'above': strandline._watermark(relation, 'agg_read_above')}) -}}
{% endmacro %}

{#- The CTEs from `__classified` to `__classified_events` of a base table. `agg_event_is_new` is
    whether an event is in no stored row. -#}
{% macro _new_or_counted(task, counted) -%}
{%- set group = ['agg_event_bucket'] + strandline._all_quoted(task['keys']) -%}
__stored_events as (
    select
        __bucket, __each.arrival as __arrival, __each.content as __content, count(*) as __count
        {%- for key in task['keys'] %}, __key_{{ loop.index }}{% endfor %}
    from (
        select agg_timestamp as __bucket, explode(agg_recent) as __each
            {%- for key in strandline._all_quoted(task['keys']) -%}
            , {{ key }} as __key_{{ loop.index }}
            {%- endfor %}
        from {{ counted.relation }}
        where agg_arrival > {{ counted.above }}
    )
    group by all
),

__copies as (
    select *, {{ strandline._event_hash(task) }} as __content, row_number() over (
        partition by {{ group | join(', ') }}, agg_event_arrival, {{ strandline._event_hash(task) }}
        order by agg_event_arrival) as __copy
    from __classified
    where agg_event_arrival > {{ counted.above }} and agg_event_arrival <= {{ counted.watermark }}
),

__classified_events as (
    select *, agg_event_arrival > {{ counted.watermark }} as agg_event_is_new
    from __classified
    where agg_event_arrival > {{ counted.watermark }} or agg_event_arrival <= {{ counted.above }}
        or agg_event_arrival is null
    union all
    select __copies.* except (__content, __copy),
        late_reason is null and __copy > coalesce(__count, 0) as agg_event_is_new
    from __copies
    left join __stored_events on agg_event_bucket = __bucket
        {%- for key in strandline._all_quoted(task['keys']) %}
        and {{ key }} <=> __key_{{ loop.index }}
        {%- endfor %}
        and agg_event_arrival = __arrival and __copies.__content = __stored_events.__content
)
{%- endmacro %}

{#- The same for a table of late events: whether a late event is not stored yet. Its rows are
    compared as a whole, as JSON, which can hold each type. -#}
{% macro _new_or_stored_late(task, stored) -%}
{%- set arrival = strandline._quoted(task.arrival) -%}
{%- set content = 'xxhash64(to_json(struct(' ~ strandline._all_quoted(task.columns) | join(', ')
    ~ ')))' -%}
__stored_events as (
    select {{ arrival }} as __arrival, {{ content }} as __content, count(*) as __count
    from {{ stored.relation }}
    where {{ arrival }} > {{ stored.above }}
    group by all
),

__copies as (
    select *, {{ content }} as __content, row_number() over (
        partition by agg_event_arrival, {{ content }} order by agg_event_arrival) as __copy
    from __classified
    where late_reason is not null
),

__classified_events as (
    select *, false as agg_event_is_new
    from __classified
    where late_reason is null
    union all
    select __copies.* except (__content, __copy), __copy > coalesce(__count, 0) as agg_event_is_new
    from __copies
    left join __stored_events
        on agg_event_arrival = __arrival and __copies.__content = __stored_events.__content
)
{%- endmacro %}

{#- What is needed to classify the events of an aggregation, as plain data. The base table and the
    table of late events share it, so that each event is in exactly one of them. -#}
{% macro _events_task(definition) %}
    {%- set types = strandline._check_columns(definition) -%}
    {%- set arguments = definition.parts | map(attribute='argument') | reject('equalto', '*')
        | unique | list -%}
    {{- return({
        'aggregation': definition.name,
        'upstream': definition.source | string,
        'upstream_name': definition.source.identifier,
        'base_duration': definition.durations[0],
        'keys': definition['keys'],
        'ts': definition.ts or definition.arrival,
        'time_kind': strandline._time_kind(definition, types),
        'arrival': definition.arrival,
        'arrival_type': types.get(definition.arrival | lower, 'bigint'),
        'event_id': definition.event_id,
        'not_after': definition.not_after,
        'buffer': definition.buffer,
        'arrival_lookback': dict(definition.arrival_lookback,
            type=types.get(definition.arrival | lower, 'bigint'))
            if definition.arrival_lookback else none,
        'arguments': arguments,
        'time_zone': definition.time_zone,
        'day_start': definition.day_start or none,
    }) -}}
{% endmacro %}

{#- The events of an aggregation, classified, as CTEs that end in `__classified_events`. Beside the
    source's columns, `agg_event_bucket` is the bucket in which an event counts, and `late_reason`
    is the reason if it counts nowhere. An event counts in its own bucket. With a buffer that keeps
    old events, it counts in the oldest open bucket or a later one. `is_new` selects the events that
    an incremental run has to read. `state` describes earlier events (ids: the range of the new
    event ids, newest: the newest bucket, counted and stored: with a lookback, what the tables have)
    and the last arrival that is read (until). -#}
{% macro _events(task, is_new=none, state={}) -%}
    {%- set events = '__numbered_events' if task.event_id else '__timed_events' -%}
    {%- set own = strandline._bucket_of(task, 'agg_event_time', task.base_duration) -%}
    {%- set oldest = strandline._oldest_open_instant(task) if task.buffer else none -%}
    {%- if task.buffer and task.buffer.size -%}
        {%- set oldest = strandline._bucket_of(task, oldest, task.base_duration) -%}
    {%- endif -%}
    {%- set bucket = 'greatest(' ~ own ~ ', ' ~ oldest ~ ')'
        if task.buffer and not task.buffer.drops else own -%}
with __timed_events as (
    {{ strandline._timed_events(task, strandline._events_scope(task, is_new, state)) }}
),

{% if task.event_id -%}
__numbered_events as (
    {{ strandline._numbered_events(task, is_new) }}
),

{% endif -%}
{% if task.buffer -%}
{{ strandline._newest_before(task, events, own, state.get('newest')) }},

{% endif -%}
{{ '__classified' if state.get('counted') or state.get('stored') else '__classified_events' }} as (
    select
        *,
        {{ bucket }} as agg_event_bucket,
        {{ strandline._late_reason(task, bucket, own, oldest) }} as late_reason
    from {{ '__buffered_events' if task.buffer else events }}
)
{%- if state.get('counted') %},

{{ strandline._new_or_counted(task, state.counted) }}
{%- elif state.get('stored') %},

{{ strandline._new_or_stored_late(task, state.stored) }}
{%- endif %}
{%- endmacro %}

{#- The events with their instant. The source is wrapped in a sub-query, because dbt gives it its
    own alias under `--empty` and `--sample`. -#}
{% macro _timed_events(task, condition=none) -%}
select
        __upstream.*,
        {{ strandline._event_time(task, strandline._read_time(task,
            '__upstream.' ~ strandline._quoted(task.ts))) }} as agg_event_time,
        {%- if task.time_kind == 'text' %}
        nullif({{ strandline._text_offset('__upstream.' ~ strandline._quoted(task.ts)) }}, '')
            as agg_event_zone,
        {%- endif %}
        {{ strandline._arrival_of(task) }} as agg_event_arrival
    from (select * from {{ task.upstream }}) as __upstream
    {%- if condition %}
    where {{ condition }}
    {%- endif %}
{%- endmacro %}

{#- The arrival of an event. A null arrival fails the run: such an event would be neither above nor
    below the watermark, and would be lost or counted twice. -#}
{% macro _arrival_of(task) -%}
    coalesce(__upstream.{{ strandline._quoted(task.arrival) }},
        raise_error({{ strandline._literal("aggregation " ~ task.aggregation ~ ": an event of "
            ~ task.upstream_name ~ " has no " ~ task.arrival
            ~ "; every event needs an arrival that only grows") }}))
{%- endmacro %}

{#- The events that have to be read: the new ones, and with event ids also earlier events of the
    same ids. The literal range of the new ids (`state.ids`; none if no new event has an id)
    restricts only the search for earlier events. It skips files if ids grow with time. Events that
    arrived after `state.until` are not read. An event without an arrival is read, so that it fails
    the run. -#}
{% macro _events_scope(task, is_new, state) %}
    {%- set arrival, id = '__upstream.' ~ strandline._quoted(task.arrival),
        '__upstream.' ~ strandline._quoted(task.event_id) -%}
    {%- set conditions = ['(' ~ arrival ~ ' <= ' ~ state.until ~ ' or ' ~ arrival ~ ' is null)']
        if state.get('until') else [] -%}
    {%- if is_new and task.event_id and state.get('ids') -%}
        {%- do conditions.append('(' ~ is_new ~ ' or ' ~ id ~ ' between ' ~ state.ids[0] ~ ' and '
            ~ state.ids[1] ~ ')') -%}
        {%- do conditions.append('exists (select 1 from (select ' ~ id
            ~ ' as agg_event_id from (select * from ' ~ task.upstream
            ~ ') as __upstream where ' ~ is_new ~ ') as __new where __new.agg_event_id <=> ' ~ id
            ~ ')') -%}
    {%- elif is_new -%}
        {%- do conditions.append(is_new) -%}
    {%- endif -%}
    {{- return(conditions | join(' and ')) -}}
{% endmacro %}

{#- The instant whose bucket is the oldest open one while `agg_newest` is the newest bucket:
    `buffer.size` buckets earlier. Days are counted from noon, so that a clock change does not
    matter. -#}
{% macro _oldest_open_instant(task) %}
    {%- set steps = task.buffer.size -%}
    {%- set unit = strandline._duration(task.base_duration) -%}
    {%- set length = unit.days * 86400 if unit.days else unit.micros // 1000000 -%}
    {%- set noon = ' + 43200' if unit.days else '' -%}
    {{- return('timestamp_seconds(agg_newest' ~ (noon ~ ' - ' ~ steps * length if steps else '')
        ~ ')') -}}
{% endmacro %}

{#- The events of each id, numbered in order of arrival; the first with a usable time counts. Among
    events of equal arrival, their time and values decide, so that every run has the same
    result. -#}
{% macro _numbered_events(task, is_new) -%}
select *
    from (
        select
            *,
            row_number() over (
                partition by {{ strandline._quoted(task.event_id) }}, agg_event_time is null
                order by agg_event_arrival, agg_event_time
                    {%- for value in strandline._all_quoted(task['keys'])
                        + task.arguments %}, {{ value }}{% endfor %}
            ) as agg_copy
        from __timed_events
    ) as __upstream
    {%- if is_new %}
    where {{ is_new }}
    {%- endif %}
{%- endmacro %}

{#- The form of the event time: timestamp, millis or text, or arrival if events have no time of
    their own. Appends a fault for a column of another type. -#}
{% macro _time_kind(definition, types, faults=none) %}
    {%- set column = definition.ts or definition.arrival -%}
    {%- set type = types.get(column | lower, 'timestamp') -%}
    {%- if type == 'timestamp' -%}
        {{- return('timestamp' if definition.ts else 'arrival') -}}
    {%- endif -%}
    {%- if not definition.ts -%}
        {%- if faults is not none -%}
            {%- do faults.append("`ts` is none, so that the time of arrival is used, and "
                ~ column ~ " is " ~ type ~ "; take a TIMESTAMP as `arrival`, or name the events' "
                ~ "time in `ts`") -%}
        {%- endif -%}
        {{- return('arrival') -}}
    {%- endif -%}
    {%- if type == 'bigint' -%}{{- return('millis') -}}{%- endif -%}
    {%- if type == 'string' or type.startswith('varchar') or type.startswith('char') -%}
        {{- return('text') -}}
    {%- endif -%}
    {%- if faults is not none -%}
        {%- do faults.append("`ts` names " ~ column ~ ", which is " ~ type
            ~ "; take a TIMESTAMP, a BIGINT of Unix milliseconds or a STRING 'yyyy-MM-dd HH:mm:ss[ "
            ~ "+HH:MM]' (cast it in a staging model)") -%}
    {%- endif -%}
    {{- return('timestamp') -}}
{% endmacro %}

{#- The instant of an event from the value of its column (`_read_time`); null if no bucket could
    hold it, or if it is after the latest time that the definition allows. The range of years is
    that of the partitions' calendar. -#}
{% macro _event_time(task, read) %}
    {%- set conditions = ['unix_seconds(' ~ read ~ ') between -62104060800 and 253370764799',
        'not ' ~ strandline._is_skipped_time(read)] -%}
    {%- if task.not_after -%}
        {%- do conditions.append('not ' ~ strandline._is_too_new(task, read)) -%}
    {%- endif -%}
    {{- return('if(' ~ conditions | join(' and ') ~ ', ' ~ read ~ ', null)') -}}
{% endmacro %}

{#- Whether the instant of an event is after the latest one that the definition allows. A null sets
    no limit. -#}
{% macro _is_too_new(task, read) %}
    {{- return('coalesce(' ~ read ~ ' > (' ~ task.not_after ~ '), false)') -}}
{% endmacro %}

{#- The instant in a column, in the form of `time_kind`, even if no bucket could hold it; null if
    the value is not an instant. -#}
{% macro _read_time(task, column) %}
    {%- if task.time_kind == 'millis' -%}
        {{- return(strandline._millis_instant(column)) -}}
    {%- endif -%}
    {%- if task.time_kind != 'text' -%}{{- return(column) -}}{%- endif -%}
    {%- set text = 'trim(' ~ column ~ ')' -%}
    {{- return("if(" ~ text ~ " rlike '" ~ strandline._text_form() ~ "', "
        ~ strandline._civil_instant('left(' ~ text ~ ', 19)', strandline._text_offset(text))
        ~ ", null)") -}}
{% endmacro %}

{#- What must be known to judge the events of an aggregation, as plain data: the finest table and
    the table of late events share it, so that an event is counted by one or told by the other. -#}
{% macro _events_task(definition) %}
    {%- set types = strandline._check_columns(definition) -%}
    {%- set arguments = definition.parts | map(attribute='argument') | reject('equalto', '*') | unique | list -%}
    {{- return({
        'aggregation': definition.name,
        'feed': definition.source | string,
        'feed_name': definition.source.identifier,
        'finest': definition.durations[0],
        'keys': definition['keys'],
        'ts': definition.ts or definition.arrival,
        'time_kind': strandline._time_kind(definition, types),
        'arrival': definition.arrival,
        'arrival_type': types.get(definition.arrival | lower, 'bigint'),
        'event_id': definition.event_id,
        'buffer': definition.buffer,
        'arguments': arguments,
        'time_zone': definition.time_zone,
    }) -}}
{% endmacro %}

{#- The events of an aggregation, each judged, as CTEs that end in `placed`: `agg_event_bucket` is
    where an event counts, and `late_reason` says why it counts nowhere, beside the source's own
    columns. An event counts in its own bucket; under a buffer that keeps old events, in the oldest
    open one at least. `is_new` narrows them to what an incremental run has to look at; `state` is what is
    known of those before (ids: the range of the new event ids, newest: the newest bucket), and
    until which arrival they are taken (until). -#}
{% macro _events(task, is_new=none, state={}) -%}
    {%- set judged = 'copies' if task.event_id else 'timed' -%}
    {%- set own = strandline.bucket_start('agg_event_time', task.finest, task.time_zone) -%}
    {%- set oldest = strandline._oldest_open_instant(task) if task.buffer else none -%}
    {%- if task.buffer and task.buffer.size -%}
        {%- set oldest = strandline.bucket_start(oldest, task.finest, task.time_zone) -%}
    {%- endif -%}
    {%- set bucket = 'greatest(' ~ own ~ ', ' ~ oldest ~ ')' if task.buffer and not task.buffer.drops else own -%}
with timed as (
    {{ strandline._timed_events(task, strandline._events_scope(task, is_new, state)) }}
),

{% if task.event_id -%}
copies as (
    {{ strandline._copies(task, is_new) }}
),

{% endif -%}
{% if task.buffer -%}
{{ strandline._newest_before(task, judged, own, state.get('newest')) }},

{% endif -%}
placed as (
    select
        *,
        {{ bucket }} as agg_event_bucket,
        {{ strandline._late_reason(task, bucket, own, oldest) }} as late_reason
    from {{ 'judged' if task.buffer else judged }}
)
{%- endmacro %}

{#- The events with their instant. Wrapped once, because dbt gives the source an alias of its own
    under `--empty` and `--sample`. -#}
{% macro _timed_events(task, condition=none) -%}
select
        feed.*,
        {{ strandline._event_time(strandline._read_time(task, 'feed.' ~ task.ts)) }} as agg_event_time,
        {%- if task.time_kind == 'text' %}
        nullif({{ strandline._text_offset('feed.' ~ task.ts) }}, '') as agg_event_zone,
        {%- endif %}
        {{ strandline._arrival_of(task) }} as agg_event_arrival
    from (select * from {{ task.feed }}) as feed
    {%- if condition %}
    where {{ condition }}
    {%- endif %}
{%- endmacro %}

{#- The arrival of an event. One without could be neither remembered as consumed nor told from a new
    one, so it stops the run instead of being lost or counted twice. -#}
{% macro _arrival_of(task) -%}
    coalesce(feed.{{ task.arrival }}, raise_error({{ strandline._literal("aggregation " ~ task.aggregation ~ ": an event of " ~ task.feed_name ~ " has no " ~ task.arrival ~ "; every event needs an arrival that only grows") }}))
{%- endmacro %}

{#- Which events have to be read: the new ones, and with event ids also those that came before under
    the same id. The literal range of the new ids (`state.ids`; none when no new event has an id) narrows the
    search for earlier ones only, and skips files wherever ids grow with time: no new event depends on it. None
    that arrived after `state.until`; one without an arrival is read, so that it stops the run. -#}
{% macro _events_scope(task, is_new, state) %}
    {%- set arrival, id = 'feed.' ~ task.arrival, 'feed.' ~ task.event_id -%}
    {%- set conditions = ['(' ~ arrival ~ ' <= ' ~ state.until ~ ' or ' ~ arrival ~ ' is null)'] if state.get('until') else [] -%}
    {%- if is_new and task.event_id and state.get('ids') -%}
        {%- do conditions.append('(' ~ is_new ~ ' or ' ~ id ~ ' between ' ~ state.ids[0] ~ ' and ' ~ state.ids[1] ~ ')') -%}
        {%- do conditions.append('exists (select 1 from (select ' ~ id ~ ' as agg_event_id from (select * from ' ~ task.feed
            ~ ') as feed where ' ~ is_new ~ ') as fresh where fresh.agg_event_id <=> ' ~ id ~ ')') -%}
    {%- elif is_new -%}
        {%- do conditions.append(is_new) -%}
    {%- endif -%}
    {{- return(conditions | join(' and ')) -}}
{% endmacro %}

{#- The instant whose bucket is the oldest that is open while `agg_newest` is the newest: so many buckets
    back. Days are counted from their noon, so that a clock change on the way does not matter. -#}
{% macro _oldest_open_instant(task) %}
    {%- set steps = task.buffer.size -%}
    {%- set unit = strandline._duration(task.finest) -%}
    {%- set length = unit.days * 86400 if unit.days else unit.micros // 1000000 -%}
    {%- set noon = ' + 43200' if unit.days else '' -%}
    {{- return('timestamp_seconds(agg_newest' ~ (noon ~ ' - ' ~ steps * length if steps else '') ~ ')') -}}
{% endmacro %}

{#- The events under one id in the order in which they came: the first with a usable time counts.
    Where two came together, their time and values decide, so that any run decides alike. -#}
{% macro _copies(task, is_new) -%}
select *
    from (
        select
            *,
            row_number() over (
                partition by {{ task.event_id }}, agg_event_time is null
                order by agg_event_arrival, agg_event_time
                    {%- for value in task['keys'] + task.arguments %}, {{ value }}{% endfor %}
            ) as agg_copy
        from timed
    ) as feed
    {%- if is_new %}
    where {{ is_new }}
    {%- endif %}
{%- endmacro %}

{#- In which form the events carry their time: timestamp, millis, text, or arrival when they carry
    none. Adds a fault for a column that is none of these. -#}
{% macro _time_kind(definition, types, faults=none) %}
    {%- set column = definition.ts or definition.arrival -%}
    {%- set type = types.get(column | lower, 'timestamp') -%}
    {%- if type == 'timestamp' -%}{{- return('timestamp' if definition.ts else 'arrival') -}}{%- endif -%}
    {%- if not definition.ts -%}
        {%- if faults is not none -%}
            {%- do faults.append("`ts` is none, so that events go by the time of their arrival, and "
                ~ column ~ " is " ~ type ~ "; take a TIMESTAMP as `arrival`, or name the events' time in `ts`") -%}
        {%- endif -%}
        {{- return('arrival') -}}
    {%- endif -%}
    {%- if type == 'bigint' -%}{{- return('millis') -}}{%- endif -%}
    {%- if type == 'string' or type.startswith('varchar') or type.startswith('char') -%}{{- return('text') -}}{%- endif -%}
    {%- if faults is not none -%}
        {%- do faults.append("`ts` names " ~ column ~ ", which is " ~ type ~ "; take a TIMESTAMP, a BIGINT of "
            ~ "Unix milliseconds or a STRING 'yyyy-MM-dd HH:mm:ss[ +HH:MM]' (cast it in a staging model)") -%}
    {%- endif -%}
    {{- return('timestamp') -}}
{% endmacro %}

{#- The instant of an event, from what its column tells (`_read_time`); null where there is none that a
    bucket could hold. The years end where the calendar of the partitions does. -#}
{% macro _event_time(read) %}
    {{- return('if(unix_seconds(' ~ read ~ ') between -62104060800 and 253370764799 and not ' ~ strandline._is_skipped_time(read)
        ~ ', ' ~ read ~ ', null)') -}}
{% endmacro %}

{#- The instant that a column tells in its form, whether a bucket could hold it or not; null where it tells none. -#}
{% macro _read_time(task, column) %}
    {%- if task.time_kind == 'millis' -%}{{- return(strandline._millis_instant(column)) -}}{%- endif -%}
    {%- if task.time_kind != 'text' -%}{{- return(column) -}}{%- endif -%}
    {%- set text = 'trim(' ~ column ~ ')' -%}
    {{- return("if(" ~ text ~ " rlike '" ~ strandline._text_form() ~ "', " ~ strandline._civil_instant('left(' ~ text ~ ', 19)', strandline._text_offset(text))
        ~ ", null)") -}}
{% endmacro %}

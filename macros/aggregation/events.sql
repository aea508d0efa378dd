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
        'group_by': definition.group_by,
        'aggregate_by': definition.aggregate_by or definition.arrival,
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
    columns. `is_new` narrows them to what an incremental run has to look at; `state` is what is
    known of those before (ids: the range of the new event ids, newest: the newest bucket), and
    until which arrival they are taken (until). -#}
{% macro _events(task, is_new=none, state={}) -%}
    {%- set judged = 'copies' if task.event_id else 'timed' -%}
with timed as (
    {{ strandline._timed_events(task, strandline._events_scope(task, is_new, state)) }}
),

{% if task.event_id -%}
copies as (
    {{ strandline._copies(task, is_new) }}
),

{% endif -%}
{% if task.buffer -%}
{{ strandline._newest_before(task, judged, state.get('newest')) }},

{% endif -%}
placed as (
    select
        *,
        {{ strandline._event_bucket(task) }} as agg_event_bucket,
        {{ strandline._late_reason(task) }} as late_reason
    from {{ 'judged' if task.buffer else judged }}
)
{%- endmacro %}

{#- The events with their instant. Wrapped once, because dbt gives the source an alias of its own
    under `--empty` and `--sample`. -#}
{% macro _timed_events(task, condition=none) -%}
select
        feed.*,
        {{ strandline._event_time(task) }} as agg_event_time,
        {%- if task.time_kind == 'text' %}
        nullif({{ strandline._text_offset('feed.' ~ task.aggregate_by) }}, '') as agg_event_zone,
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

{#- The bucket of the finest duration in which an event counts: its own, or the oldest open one for
    an event that is older than the buffer. -#}
{% macro _event_bucket(task) %}
    {%- set own = strandline.bucket_start('agg_event_time', task.finest, task.time_zone) -%}
    {%- if not task.buffer or task.buffer.drops -%}{{- return(own) -}}{%- endif -%}
    {{- return('greatest(' ~ own ~ ', ' ~ strandline._oldest_open(task) ~ ')') -}}
{% endmacro %}

{#- The oldest bucket that is open while `agg_newest` is the newest: so many buckets back. Days are
    counted from their noon, so that a clock change on the way does not matter. -#}
{% macro _oldest_open(task) %}
    {%- set steps = task.buffer.size -%}
    {%- if steps == 0 -%}{{- return('timestamp_seconds(agg_newest)') -}}{%- endif -%}
    {%- set length = {'seconds': 1, 'minutes': 60, 'hours': 3600, 'days': 86400}[task.finest] -%}
    {%- set noon = ' + 43200' if task.finest == 'days' else '' -%}
    {{- return(strandline.bucket_start('timestamp_seconds(agg_newest' ~ noon ~ ' - ' ~ steps * length ~ ')', task.finest, task.time_zone)) -}}
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
                    {%- for value in task.group_by + task.arguments %}, {{ value }}{% endfor %}
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
    {%- set column = definition.aggregate_by or definition.arrival -%}
    {%- set type = types.get(column | lower, 'timestamp') -%}
    {%- if type == 'timestamp' -%}{{- return('timestamp' if definition.aggregate_by else 'arrival') -}}{%- endif -%}
    {%- if not definition.aggregate_by -%}
        {%- if faults is not none -%}
            {%- do faults.append("`aggregate_by` is none, so that events go by the time of their arrival, and "
                ~ column ~ " is " ~ type ~ "; take a TIMESTAMP as `arrival`, or name the events' time in `aggregate_by`") -%}
        {%- endif -%}
        {{- return('arrival') -}}
    {%- endif -%}
    {%- if type == 'bigint' -%}{{- return('millis') -}}{%- endif -%}
    {%- if type == 'string' or type.startswith('varchar') or type.startswith('char') -%}{{- return('text') -}}{%- endif -%}
    {%- if faults is not none -%}
        {%- do faults.append("`aggregate_by` names " ~ column ~ ", which is " ~ type ~ "; take a TIMESTAMP, a BIGINT of "
            ~ "Unix milliseconds or a STRING 'yyyy-MM-dd HH:mm:ss[ +HH:MM]' (cast it in a staging model)") -%}
    {%- endif -%}
    {{- return('timestamp') -}}
{% endmacro %}

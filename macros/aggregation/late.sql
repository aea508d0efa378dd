{#- The body of the model of events that an aggregation does not count, with the reason: without a
    usable time, late, or a duplicate. See _macros.yml. -#}
{% macro aggregation_late(definition) %}
    {%- do strandline._check_definition(definition, 'aggregation_late') -%}
    {%- do strandline._arguments("aggregation_late of '" ~ definition.name ~ "'", kwargs, varargs,
        {'definition': ['any', definition]}) -%}
    {{- config(materialized='strandline_aggregation_late',
        file_format=strandline._file_format()) -}}
    {%- if execute -%}
        {%- set task = strandline._events_task(definition) -%}
        {%- do task.update({'kind': 'late',
            'columns': strandline._types_of(definition.source) | list,
            'settings': {'is_purged':
                definition.retention.get(definition.durations[0]) is not none}}) -%}
        {{- strandline._task_line(task) }}
{{ strandline._events(task) }}
{{- strandline._late_rows(task) }}
    {%- endif -%}
{% endmacro %}

{#- The events that do not count, with all their columns and the reason; follows the CTEs of
    `_events`. -#}
{% macro _late_rows(task, condition='late_reason is not null') %}

select
    {%- for column in task.columns %}
    {{ strandline._quoted(column) }},
    {%- endfor %}
    late_reason
from __classified_events
where {{ condition }}
{%- endmacro %}

{#- The reason why an event does not count; null if it counts. `bucket` is where it would count,
    `own` its own bucket and `oldest` the oldest open bucket. -#}
{% macro _late_reason(task, bucket, own, oldest) -%}
    {%- set column, id = strandline._quoted(task.ts), strandline._quoted(task.event_id) -%}
    {%- set usable = {
        'text': 'is no time yyyy-MM-dd HH:mm:ss[ +HH:MM] of the years 2 to 9998',
    }.get(task.time_kind, 'is outside the years 2 to 9998') -%}
case
            when agg_event_arrival is null
                then 'no arrival' -- never returned: reading a null arrival fails the run
            when {{ column }} is null
                then {{ strandline._literal('no event time: ' ~ task.ts ~ ' is null') }}
            when agg_event_time is null and {{ strandline._is_skipped_time(
                strandline._read_time(task, column)) }}
                then {{ strandline._literal('no event time: ' ~ task.ts ~ ' is in 4 to 16 October '
                    ~ '1582, which Delta cannot search by time') }}
            {%- if task.not_after %}
            when agg_event_time is null
                and {{ strandline._is_too_new(task, strandline._read_time(task, column)) }}
                then {{ strandline._literal('from the future: ' ~ task.ts ~ ' is after '
                    ~ task.not_after) }}
            {%- endif %}
            when agg_event_time is null
                then {{ strandline._literal('no event time: ' ~ task.ts ~ ' ' ~ usable) }}
            {%- if task.event_id %}
            when {{ id }} is null
                then {{ strandline._literal('no event id: ' ~ task.event_id ~ ' is null') }}
            when agg_copy > 1
                then {{ strandline._literal('duplicate: an event of this ' ~ task.event_id
                    ~ ' came before') }}
            {%- endif %}
            {%- if task.get('purged_before') %}
            when {{ bucket }} < timestamp'{{ task.purged_before }}'
                then 'late: its bucket is older than what is kept'
            {%- endif %}
            {%- if task.buffer and task.buffer.drops %}
            when {{ own }} < {{ oldest }}
                then {{ strandline._literal('late: older than the buffer of ' ~ task.buffer.size
                    ~ ' ' ~ task.base_duration) }}
            {%- endif %}
        end
{%- endmacro %}

{#- For each event, the newest bucket of the events that arrived before it (`agg_newest`, in Unix
    seconds), over all keys. Events of equal arrival do not precede each other. This is a running
    maximum over the whole history, computed without one window over all rows: the arrivals are
    split into at most a thousand ranges, each range starts with the maximum of the earlier ranges,
    and rows are sorted only within a range. -#}
{% macro _newest_before(task, events, own, newest) -%}
    {%- set order = 'agg_event_arrival' if task.arrival_type != 'timestamp'
        else 'unix_micros(agg_event_arrival)' -%}
__arrivals as (
    select
        cast({{ order }} as bigint) as agg_order,
        max(unix_seconds({{ own }})) as newest
    from {{ events }}
    where {{ strandline._is_countable(task) }}
    group by 1
),

__ranged_arrivals as (
    select __arrivals.*, (agg_order - earliest) div ((latest - earliest) div 1000 + 1) as range_id
    from __arrivals
    cross join (select min(agg_order) as earliest, max(agg_order) as latest from __arrivals)
),

__arrival_ranges as (
    select
        range_id,
        max(max(newest)) over (order by range_id rows between unbounded preceding and 1 preceding)
            as newest
    from __ranged_arrivals
    group by range_id
),

__newest_before as (
    select
        agg_order,
        greatest(
            max(__ranged_arrivals.newest) over (
                partition by range_id
                order by agg_order rows between unbounded preceding and 1 preceding
            ),
            __arrival_ranges.newest,
            {{ newest or 'cast(null as bigint)' }}
        ) as agg_newest
    from __ranged_arrivals
    join __arrival_ranges using (range_id)
),

__buffered_events as (
    select {{ events }}.*, __newest_before.agg_newest
    from {{ events }}
    left join __newest_before on cast({{ order }} as bigint) = __newest_before.agg_order
)
{%- endmacro %}

{#- Whether an event can count: it has a time, and it is the first of its id. -#}
{% macro _is_countable(task) -%}
    agg_event_time is not null
    {%- if task.event_id %} and {{ strandline._quoted(task.event_id) }} is not null
        and agg_copy = 1{% endif %}
{%- endmacro %}

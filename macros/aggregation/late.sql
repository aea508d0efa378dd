{#- The body of the model of events that an aggregation does not count, each with its reason: without
    a usable time, late, or duplicates. See _macros.yml. -#}
{% macro aggregation_late(definition) %}
    {%- do strandline._check_definition(definition, 'aggregation_late') -%}
    {%- set who = "aggregation_late of '" ~ definition.name ~ "'" -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'definition': [definition, ''],
    }) -%}
    {{- config(materialized='strandline_aggregation_late', file_format='delta') -}}
    {%- if execute -%}
        {%- set task = strandline._events_task(definition) -%}
        {%- do task.update({'kind': 'late', 'columns': strandline._types_of(definition.source) | list}) -%}
        {{- strandline._task_line(task) }}
{{ strandline._events(task) }}
{{- strandline._late_rows(task) }}
    {%- endif -%}
{% endmacro %}

{#- The events that no bucket holds, with every column they came with and the reason; after the
    CTEs of `_events`. -#}
{% macro _late_rows(task, condition='late_reason is not null') %}

select
    {%- for column in task.columns %}
    {{ column }},
    {%- endfor %}
    late_reason
from placed
where {{ condition }}
{%- endmacro %}

{#- Why an event counts in no bucket; null for one that counts. `bucket` is where it would count, `own` its own
    bucket and `oldest` the oldest open one. -#}
{% macro _late_reason(task, bucket, own, oldest) -%}
    {%- set column = task.ts -%}
    {%- set usable = {
        'text': 'is no time yyyy-MM-dd HH:mm:ss[ +HH:MM] of the years 2 to 9998',
    }.get(task.time_kind, 'is outside the years 2 to 9998') -%}
case
            when agg_event_arrival is null then 'no arrival' -- never seen: asking is what stops the run
            when {{ column }} is null then 'no event time: {{ column }} is null'
            when agg_event_time is null and {{ strandline._is_skipped_time(strandline._read_time(task, column)) }}
                then 'no event time: {{ column }} is in 4 to 16 October 1582, which Delta cannot search by time'
            when agg_event_time is null then 'no event time: {{ column }} {{ usable }}'
            {%- if task.event_id %}
            when {{ task.event_id }} is null then 'no event id: {{ task.event_id }} is null'
            when agg_copy > 1 then 'duplicate: an event of this {{ task.event_id }} came before'
            {%- endif %}
            {%- if task.get('purged_before') %}
            when {{ bucket }} < timestamp'{{ task.purged_before }}' then 'late: its bucket is older than what is kept'
            {%- endif %}
            {%- if task.buffer and task.buffer.drops %}
            when {{ own }} < {{ oldest }}
                then 'late: older than the buffer of {{ task.buffer.size }} {{ task.finest }}'
            {%- endif %}
        end
{%- endmacro %}

{#- For each event, the newest bucket of the events that arrived before it (`agg_newest`, Unix
    seconds), over all groups; events of one arrival came together. A running maximum over the
    whole history, without a window over all of it: the range of arrivals is cut into at most a
    thousand stretches, each stretch starts from the newest of those before it, and only
    inside a stretch is anything sorted. -#}
{% macro _newest_before(task, events, own, newest) -%}
    {%- set order = 'agg_event_arrival' if task.arrival_type != 'timestamp' else 'unix_micros(agg_event_arrival)' -%}
arrivals as (
    select
        cast({{ order }} as bigint) as agg_order,
        max(unix_seconds({{ own }})) as newest
    from {{ events }}
    where {{ strandline._is_countable(task) }}
    group by 1
),

stretched as (
    select arrivals.*, (agg_order - earliest) div ((latest - earliest) div 1000 + 1) as stretch
    from arrivals
    cross join (select min(agg_order) as earliest, max(agg_order) as latest from arrivals)
),

stretches as (
    select
        stretch,
        max(max(newest)) over (order by stretch rows between unbounded preceding and 1 preceding) as newest
    from stretched
    group by stretch
),

newest_before as (
    select
        agg_order,
        greatest(
            max(stretched.newest) over (
                partition by stretch
                order by agg_order rows between unbounded preceding and 1 preceding
            ),
            stretches.newest,
            {{ newest or 'cast(null as bigint)' }}
        ) as agg_newest
    from stretched
    join stretches using (stretch)
),

judged as (
    select {{ events }}.*, newest_before.agg_newest
    from {{ events }}
    left join newest_before on cast({{ order }} as bigint) = newest_before.agg_order
)
{%- endmacro %}

{#- Whether an event may count at all: it has a time, and it is the first of its id. -#}
{% macro _is_countable(task) -%}
    agg_event_time is not null
    {%- if task.event_id %} and {{ task.event_id }} is not null and agg_copy = 1{% endif %}
{%- endmacro %}

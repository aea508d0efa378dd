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
{{ strandline._late_rows(task, strandline._classified_late(task, strandline._events(task))) }}
    {%- endif -%}
{% endmacro %}

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

{#- The materialization of a table of late events. -#}
{% materialization strandline_aggregation_late, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code,
        rows_read=strandline._rows_read_by_late) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- do strandline._write_late(run, compiled_code, strandline._late_events(this, run)) -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The events that a run of a late table classifies, for `_write_late`. With a lookback, events
    above the watermark less the lookback are read again and compared with the stored rows. -#}
{% macro _late_events(relation, run) %}
    {%- set task = run.task -%}
    {%- if run.is_new -%}
        {{- return(strandline._classified_late(task, strandline._events(task))) -}}
    {%- endif -%}
    {%- set stored = strandline._late_watermark(run.properties) -%}
    {%- set last = strandline._watermark(relation, strandline._quoted(task.arrival)) -%}
    {%- do task.update({'purged_before': strandline._later_horizon(
        run.properties.get('strandline.purged_before'), strandline._base_of_late(task))}) -%}
    {%- set is_compared = task.get('arrival_lookback') and stored.get('arrival') is not none -%}
    {%- set above = strandline._less_lookback(task, stored.arrival) if is_compared
        else stored.get('arrival') -%}
    {%- set is_new = strandline._is_new(task, above) -%}
    {%- set state = dict(strandline._events_state(none, task, is_new),
        **({'newest': stored.newest ~ 'L'} if is_new and stored.get('newest') is not none
        else {})) -%}
    {%- if is_compared -%}
        {%- set events = strandline._events(task, is_new,
            dict(state, stored={'relation': relation, 'above': above})) -%}
        {{- return(dict(strandline._classified_late(task, events), last=last,
            is_new='agg_event_is_new', read=stored.arrival,
            is_read='agg_event_is_new or agg_event_arrival > ' ~ stored.arrival)) -}}
    {%- endif -%}
    {{- return(strandline._classified_late(task, strandline._events(task, is_new, state), last)) -}}
{% endmacro %}

{#- The CTEs of `_events`, for `_write_late`; late events up to the arrival `last` are stored. With
    a buffer the next run needs the newest bucket. -#}
{% macro _classified_late(task, events, last=none) %}
    {%- set bucket = strandline._bucket_of(task, 'agg_event_time', task.base_duration) -%}
    {{- return({'sql': events, 'rows': '__classified_events', 'noun': 'event',
        'arrival': 'agg_event_arrival',
        'is_new': 'late_reason is not null' ~ (' and agg_event_arrival > ' ~ last if last else ''),
        'is_read': none, 'read': none, 'last': last,
        'newest': 'max(if(' ~ strandline._is_countable(task) ~ ', unix_seconds(' ~ bucket
            ~ '), null))' if task.buffer else none}) -}}
{% endmacro %}

{#- The new events of the base table: the partitions and spans in which some of them count, the
    latest arrival of these (see `_changed_buckets`), and the number of late events. With a lookback
    the events are compared with what is stored. -#}
{% macro _new_events(task, events, is_compared=false) %}
    {%- set unit = strandline._width_of(task) -%}
    {%- set row = run_query(events ~ " select " ~ strandline._partitions_text(
            strandline._partition_of('agg_event_bucket', unit, task.time_zone), unit,
            'late_reason is null') ~ ", "
        ~ strandline._slices_text('agg_event_bucket', unit, 'late_reason is null') ~ ", "
        ~ strandline._exact_text('max(if(late_reason is null, agg_event_arrival, null))')
        ~ ", typeof(max(agg_event_arrival)), "
        ~ strandline._late_counts() ~ " from __classified_events"
        ~ (" where agg_event_is_new" if is_compared else "")).rows[0] -%}
    {{- return({
        'partitions': strandline._partitions_in(row[0], unit),
        'spans': strandline._slices_in(row[1], unit),
        'latest_arrival': strandline._typed_literal(row[2], row[3]),
        'late': strandline._late_record('event', [row[4], row[5], row[6]]),
    }) -}}
{% endmacro %}

{#- The late events of a new base table that is empty; otherwise none. Delta counts rows without a
    job, so only an empty table needs one. -#}
{% macro _late_events_of_empty(relation, task) %}
    {%- if not task.is_base or strandline._has_late_model() -%}{{- return(none) -}}{%- endif -%}
    {%- if run_query('select count(*) from ' ~ relation).rows[0][0] | int -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(strandline._new_events(task, strandline._events(task)).late) -}}
{% endmacro %}

{#- Whether a model of the project stores the late events of this model's aggregation: a model of
    `aggregation_late` that uses the same definition macro. -#}
{% macro _has_late_model() %}
    {%- for node in graph.nodes.values()
        if node.config.get('materialized') == 'strandline_aggregation_late' -%}
        {%- for name in node.depends_on.macros
            if name in model.depends_on.macros and not name.startswith('macro.strandline.') -%}
            {{- return(true) -}}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}

{#- The base table of the aggregation, if it is built and `strandline purge` removes its rows. -#}
{% macro _base_of_late(task) %}
    {%- for node in graph.nodes.values() if task.settings.is_purged
        and node.resource_type == 'model'
        and node.name == task.aggregation ~ '_' ~ task.base_duration -%}
        {{- return(load_cached_relation(api.Relation.create(database=node.database,
            schema=node.schema, identifier=node.alias))) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

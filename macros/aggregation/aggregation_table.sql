{#- The body of one table of an aggregation, of one duration. See _macros.yml.
    The body says what the table is: the aggregate of all that its feed holds. How a run brings a
    stored table there, reading only what is new, is the materialization's part: it finds the
    task in the first line, because dbt renders body and materialization apart. -#}
{% macro aggregation_table(definition, duration) %}
    {%- do strandline._check_definition(definition, 'aggregation_table') -%}
    {%- set who = "aggregation_table of '" ~ definition.name ~ "'" -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'definition': [definition, ''],
        'duration': [duration, "write one of " ~ strandline._choices(definition.durations)],
    }) -%}
    {%- set duration = strandline._defined_duration(definition, duration, 'aggregation_table') -%}
    {%- set position = definition.durations.index(duration.name) -%}
    {%- set feed = definition.source if position == 0
        else ref(definition.name ~ '_' ~ definition.durations[position - 1]) -%}

    {{- config(
        materialized='strandline_aggregation',
        file_format='delta',
        unique_key=['agg_timestamp'] + definition['keys'],
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {%- set task = strandline._aggregation_task(definition, duration, feed) -%}
        {%- if position == 0 and (load_cached_relation(this) is none or should_full_refresh()) -%}
            {%- do strandline._check_expressions(definition, task) -%}
        {%- endif -%}
        {{- strandline._task_line(task) }}
{{ strandline._aggregation_rows(task) }}
    {%- endif -%}
{% endmacro %}

{#- What the materialization must know of an aggregation table, as plain data: it is also what is
    stored with the table, to be compared by the next run (rule: configuration is part of the state).
    `horizon` is for `strandline purge`: the start of the bucket of the next longer duration. -#}
{% macro _aggregation_task(definition, duration, feed) %}
    {%- set is_finest = definition.durations[0] == duration.name -%}
    {%- set events = strandline._events_task(definition) -%}
    {%- set zone = [{'column': 'agg_latest_timezone', 'kind': 'latest', 'argument': 'agg_event_zone'}] -%}
    {%- set outputs = [] -%}
    {%- for output in definition.outputs -%}
        {%- do outputs.append({'name': output.name, 'text': output.text,
            'columns': output.columns.values() | list}) -%}
    {%- endfor -%}
    {%- set position = definition.durations.index(duration.name) -%}
    {%- set coarser = (definition.durations[position + 1:] + [duration.name])[0] -%}
    {%- set task = {
        'kind': 'aggregation',
        'position': position,
        'aggregation': definition.name,
        'duration': duration.name,
        'feed': feed | string,
        'feed_name': feed.identifier,
        'feed_duration': none if is_finest else definition.durations[position - 1],
        'from_events': is_finest,
        'feed_is_finest': position == 1,
        'keys': definition['keys'],
        'time_zone': definition.time_zone,
        'parts': definition.parts + (zone if events.time_kind == 'text' else []),
        'outputs': outputs,
        'mutability_seconds': definition.mutability_seconds,
        'retention': definition.retention,
    } -%}
    {%- if is_finest -%}{%- do task.update(events) -%}{%- endif -%}
    {%- if definition.retention.get(duration.name) is not none -%}
        {%- do task.update({'horizon': strandline.bucket_start('strandline_instant', coarser, definition.time_zone)}) -%}
    {%- endif -%}
    {{- return(task) -}}
{% endmacro %}

{#- All rows of one aggregation table, from all that its feed holds: the body of a first build. -#}
{% macro _aggregation_rows(task) -%}
{% if task.from_events -%}
{{ strandline._events(task) }},

counted as (
    select * from placed where late_reason is null
),
{%- else -%}
with counted as (
    select {{ strandline._upstream_columns(task) }} from (select * from {{ task.feed }}) as feed
),
{%- endif %}

buckets as (
{{ strandline._aggregation_buckets(task, 'counted', 'take' if task.from_events else 'roll', spread=true) }}
)

select
    {{ strandline._aggregation_columns(task) }}
from buckets
{%- endmacro %}

{#- The columns of an aggregation table in their order, as a select list over aggregated rows. The
    arrival stands before the parts, however many they are: Delta keeps statistics of it. -#}
{% macro _aggregation_columns(task) -%}
    {%- set zones = task.parts | selectattr('column', 'equalto', 'agg_latest_timezone') | list -%}
    agg_timestamp,
    {{ "coalesce(agg_latest_timezone.value, '" ~ task.time_zone ~ "')" if zones else "'" ~ task.time_zone ~ "'" }} as agg_timezone,
    {%- for key in task['keys'] %}
    {{ key }},
    {%- endfor %}
    agg_arrival,
    {%- for part in task.parts %}
    {{ part.column }},
    {%- endfor %}
    agg_partition
{%- endmacro %}

{#- Rows of one aggregation table, aggregated from events (`how` is take) or from stored rows (roll).
    `source` is a query in brackets or a name. The finest table's own rows are added up as they
    are: a stored start begins its own bucket. Grouping by the partition as well costs nothing, as
    a bucket lies in one; with `spread` the rows are dealt out by partition before they are
    grouped, so that each file is written once. -#}
{% macro _aggregation_buckets(task, source, how, spread=false) -%}
    {%- set is_own = how == 'roll' and task.from_events -%}
    {%- set bucket = 'agg_event_bucket' if how == 'take' else 'agg_timestamp' if is_own
        else strandline.bucket_start('agg_timestamp', task.duration, task.time_zone) -%}
    {%- set partition = 'agg_partition' if is_own else strandline._rollup_partition(task, bucket) if how == 'roll'
        else strandline._partition_of(bucket, strandline._duration(task.duration).partition, task.time_zone) -%}
    select
        {{ bucket }} as agg_timestamp,
        {%- for key in task['keys'] %}
        {{ key }},
        {%- endfor %}
        max({{ 'agg_event_arrival' if how == 'take' else 'agg_arrival' }}) as agg_arrival,
        {%- for part in task.parts %}
        {{ strandline._part_expression(task, part, how) }} as {{ part.column }},
        {%- endfor %}
        {{ partition }} as agg_partition
    from {% if spread %}(select * from {{ source }} distribute by {{ partition }}){% else %}{{ source }}{% endif %}
    group by {{ bucket }}, {{ partition }}{% for key in task['keys'] %}, {{ key }}{% endfor %}
{%- endmacro %}

{#- The partition of a coarser bucket, of a row of its feed: the feed's own where both are laid out alike and no clock
    ever changes, so that no bucket begins on another day than what it holds. -#}
{% macro _rollup_partition(task, bucket) %}
    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- if task.time_zone == 'UTC' and strandline._duration(task.feed_duration).partition == unit -%}{{- return('agg_partition') -}}{%- endif -%}
    {{- return(strandline._partition_of(bucket, unit, task.time_zone)) -}}
{% endmacro %}

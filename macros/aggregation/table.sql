{#- The body of one table of an aggregation, for one duration. See _macros.yml. The body is the
    aggregate of all rows of the upstream table, for the first build. The materialization computes
    incremental changes from new rows only. It reads the task from the first line, because dbt
    renders body and materialization separately. -#}
{% macro aggregation_table(definition, duration) %}
    {%- do strandline._check_definition(definition, 'aggregation_table') -%}
    {%- set read = strandline._arguments("aggregation_table of '" ~ definition.name ~ "'", kwargs,
        varargs, {
        'definition': ['any', definition],
        'duration': ['any', duration, strandline._duration_form(definition)],
    }) -%}
    {%- set duration = strandline._defined_duration(definition, duration, read.who) -%}
    {%- set position = definition.durations.index(duration.name) -%}
    {%- set upstream = definition.source if position == 0
        else ref(definition.name ~ '_' ~ definition.durations[position - 1]) -%}

    {{- config(
        materialized='strandline_aggregation',
        file_format=strandline._file_format(),
        unique_key=['agg_timestamp'] + definition['keys'],
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {%- set task = strandline._aggregation_task(definition, duration, upstream) -%}
        {%- if position == 0 and (load_cached_relation(this) is none or should_full_refresh()) -%}
            {%- do strandline._check_select(definition, task) -%}
            {%- do strandline._check_not_after(definition, task) -%}
        {%- endif -%}
        {{- strandline._task_line(task) }}
{{ strandline._aggregation_rows(task) }}
    {%- endif -%}
{% endmacro %}

{#- What the materialization needs to know of an aggregation table, as plain data. It is also stored
    with the table and compared by the next run, because the configuration is part of the state.
    `horizon` is for `strandline purge`: the start of the bucket of the next longer duration. -#}
{% macro _aggregation_task(definition, duration, upstream) %}
    {%- set is_base = definition.durations[0] == duration.name -%}
    {%- set events = strandline._events_task(definition) -%}
    {%- set zone = [{'column': 'agg_latest_timezone', 'kind': 'latest',
        'argument': 'agg_event_zone'}] -%}
    {%- set outputs = [] -%}
    {%- for output in definition.outputs -%}
        {%- do outputs.append({'name': output.name, 'text': output.text,
            'columns': output.columns, 'function': output.function, 'option': output.option}) -%}
    {%- endfor -%}
    {%- set position = definition.durations.index(duration.name) -%}
    {%- set longer = (definition.durations[position + 1:] + [duration.name])[0] -%}
    {%- set task = {
        'kind': 'aggregation',
        'position': position,
        'aggregation': definition.name,
        'duration': duration.name,
        'upstream': upstream | string,
        'upstream_name': upstream.identifier,
        'upstream_duration': none if is_base else definition.durations[position - 1],
        'is_base': is_base,
        'upstream_is_base': position == 1,
        'keys': definition['keys'],
        'time_zone': definition.time_zone,
        'day_start': definition.day_start or none,
        'parts': definition.parts + (zone if events.time_kind == 'text' else []),
        'outputs': outputs,
        'mutability_seconds': definition.mutability_seconds,
        'retention': definition.retention,
        'arrival_lookback': events.arrival_lookback,
        'keeps_arrivals': true if is_base and definition.arrival_lookback else none,
    } -%}
    {%- if is_base -%}{%- do task.update(events) -%}{%- endif -%}
    {%- if definition.retention.get(duration.name) is not none -%}
        {%- do task.update({'horizon': strandline._bucket_of(task, 'strandline_instant',
            longer)}) -%}
    {%- endif -%}
    {{- return(task) -}}
{% endmacro %}

{#- The start of the bucket that contains an instant, by the clock of an aggregation. -#}
{% macro _bucket_of(task, ts, duration) %}
    {{- return(strandline._bucket(ts, duration, task.time_zone, task.get('day_start') or 0)) -}}
{% endmacro %}

{#- All rows of one aggregation table from all rows of its upstream table: the body of the first
    build. -#}
{% macro _aggregation_rows(task, splits=1) -%}
{% if task.is_base -%}
{%- if task.keeps_arrivals -%}
    {%- do task.update({'read_above': '(select ' ~ strandline._less_lookback(task,
        'max(agg_event_arrival)') ~ ' from __timed_events)'}) -%}
{%- endif -%}
{{ strandline._events(task) }},

__counted_rows as (
    select * from __classified_events where late_reason is null
),
{%- else -%}
with __counted_rows as (
    select {{ strandline._upstream_columns(task) }}
        from (select * from {{ task.upstream }}) as __upstream
),
{%- endif %}

__buckets as (
{{ strandline._aggregation_buckets(task, '__counted_rows', 'partial' if task.is_base else 'merge',
    splits) }}
)

select
    {{ strandline._aggregation_columns(task) }}
from __buckets
{%- endmacro %}

{#- The columns of an aggregation table in their order, as a select list over aggregated rows.
    agg_arrival comes before the parts, so that Delta keeps statistics of it however many parts
    there are. -#}
{% macro _aggregation_columns(task) -%}
    {%- set zones = task.parts | selectattr('column', 'equalto', 'agg_latest_timezone') | list -%}
    agg_timestamp,
    {{ "coalesce(agg_latest_timezone.value, '" ~ task.time_zone ~ "')" if zones
        else "'" ~ task.time_zone ~ "'" }} as agg_timezone,
    {%- for key in task['keys'] %}
    {{ strandline._quoted(key) }},
    {%- endfor %}
    agg_arrival,
    {%- if task.keeps_arrivals %}
    {{ strandline._lookback_columns() | join(', ') }},
    {%- endif %}
    {%- for part in task.parts %}
    {{ part.column }},
    {%- endfor %}
    agg_partition
{%- endmacro %}

{#- The rows of one aggregation table. With `mode` partial they are aggregated from events, with
    merge from stored rows. `source` is a query in parentheses or a name. When stored rows of the
    base table are merged, their start is already that of a bucket and is not computed again. The
    start and the partition are long expressions in most time zones, so each is written once. A
    bucket lies in one partition, so grouping by the partition adds no rows. With `splits` the rows
    are distributed before they are grouped: see `_spread`. -#}
{% macro _aggregation_buckets(task, source, mode, splits=none) -%}
    {%- set merges_base = mode == 'merge' and task.is_base -%}
    {%- set bucket = 'agg_event_bucket' if mode == 'partial' else 'agg_timestamp' if merges_base
        else strandline._bucket_of(task, 'agg_timestamp', task.duration) -%}
    {%- set partition = 'agg_partition' if merges_base
        else strandline._partition_of('__start', strandline._width_of(task), task.time_zone) -%}
    {%- set group = ['__start'] + strandline._all_quoted(task['keys']) -%}
    {%- set spread = ['__partition'] if splits is none
        else strandline._spread('__partition', group, splits) -%}
    select
        __start as agg_timestamp,
        {%- for key in task['keys'] %}
        {{ strandline._quoted(key) }},
        {%- endfor %}
        max({{ 'agg_event_arrival' if mode == 'partial' else 'agg_arrival' }}) as agg_arrival,
        {%- if task.keeps_arrivals %}
        {{ strandline._recent_events(task, mode, task.read_above) }}
        {%- endif %}
        {%- for part in task.parts %}
        {{ strandline._part_expression(task, part, mode) }} as {{ part.column }},
        {%- endfor %}
        __partition as agg_partition
    from (
        select *, {{ partition }} as __partition
        from (select *, {{ bucket }} as __start from {{ source }})
        {%- if splits is not none %}
        distribute by {{ spread | join(', ') }}
        {%- endif %}
    )
    group by {{ (group[:1] + spread + group[1:]) | join(', ') }}
{%- endmacro %}

{#- The materialization of one table of an aggregation. The first build and a full refresh create it
    from all rows. Every other run computes the changes above the table's own watermark and writes
    them in one commit, or writes nothing. -#}
{% materialization strandline_aggregation, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task = run.task -%}
    {%- if run.is_new -%}
        {%- set upstream = strandline._upstream_properties(task) -%}
        {%- set chosen = strandline._aggregation_width(task, upstream) -%}
        {%- do task.update({'width': chosen.width}) -%}
        {%- do strandline._create(run, strandline._create_table(this, task,
            strandline._aggregation_rows(task, strandline._splits(task.upstream, chosen)),
            dict(strandline._aggregation_properties(task), **strandline._width_property(chosen))))
            -%}
        {%- do strandline._report_created(this, strandline._late_events_of_empty(this, task)) -%}
    {%- else -%}
        {%- do task.update({'width': strandline._stored_width(run.properties).width}) -%}
        {%- set time_range = strandline._recomputed_range(this, task) -%}
        {%- if not task.is_base -%}
            {%- set change = strandline._rollup_change(this, task, run.properties, time_range) -%}
        {%- elif time_range -%}
            {%- set change = strandline._recomputed_change(this, task, run.properties,
                time_range) -%}
        {%- else -%}
            {%- set change = strandline._events_change(this, task, run.properties) -%}
        {%- endif -%}
        {%- do strandline._write_change(this, change) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The properties of the upstream table of a roll-up; empty for a base table. Fails if rows of it
    have been purged. -#}
{% macro _upstream_properties(task) %}
    {%- if task.is_base or task.upstream.startswith('(') -%}{{- return({}) -}}{%- endif -%}
    {%- set properties = strandline._properties_of(task.upstream) -%}
    {%- set purged = properties.get('strandline.purged_before') -%}
    {%- if purged -%}
        {%- do strandline._refuse('aggregation ' ~ task.aggregation,
            ["the rows of " ~ task.upstream_name ~ " before " ~ purged
            ~ " have been purged: rebuilt from the other rows, " ~ task.duration
            ~ " would lose that time; rebuild from the events, `dbt build --full-refresh --select "
            ~ task.upstream_name
            ~ "+`, or drop the table if the loss is intended"]) -%}
    {%- endif -%}
    {{- return(properties) -}}
{% endmacro %}

{#- The width of the partitions of a new table. A stored row takes some 24 bytes, 6 for each simple
    part and 200 for one that holds values. -#}
{% macro _aggregation_width(task, upstream) %}
    {%- set duration = strandline._duration(task.duration) -%}
    {%- set bytes = namespace(of_row=24) -%}
    {%- for part in task.parts -%}
        {%- set bytes.of_row = bytes.of_row
            + (200 if part.kind in ['distinct', 'hll', 'kll', 'ranks', 'time_weight'] else 6) -%}
    {%- endfor -%}
    {%- set rows = '(' ~ strandline._timed_events(task) ~ ')' if task.is_base
        else '(select * from ' ~ task.upstream ~ ')' -%}
    {%- set ts = 'agg_event_time' if task.is_base else 'agg_timestamp' -%}
    {{- return(strandline._chosen_width(task, row_bytes=bytes.of_row,
        counts=strandline._bucket_counts(rows, ts, 'unix_seconds(' ~ ts ~ ') div '
            ~ (duration.length // 1000000000 if duration.kind == 'clock'
                else duration.months * 2629746), task['keys']),
        upstream=strandline._stored_width(upstream).rows_a_day)) -}}
{% endmacro %}

{#- The properties of a new aggregation table. Statistics are limited to the columns by which runs
    search, which keeps the log small however many parts there are. -#}
{% macro _aggregation_properties(task) %}
    {{- return({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'
        ~ (',agg_read_above' if task.keeps_arrivals else '')}) -}}
{% endmacro %}

{#- The expression of one part. `mode` is partial (from events) or merge (from stored rows). -#}
{% macro _part_expression(task, part, mode) %}
    {%- if part.kind == 'time_weight' -%}
        {#- The base table stores the points themselves, ordered by time, because a late point may
            lie between two stored ones. Roll-ups store the summary, merged from upstream rows,
            which never overlap. -#}
        {%- if mode == 'partial' -%}
            {{- return(strandline._collected_points('agg_event_time', part.argument,
                'agg_event_arrival', part.get('nulls') == 'end')) -}}
        {%- elif task.is_base -%}
            {{- return('sort_array(flatten(collect_list(' ~ part.column ~ ')))') -}}
        {%- endif -%}
        {{- return(strandline._merged_time_weights(strandline._collected_parts(part.column))) -}}
    {%- endif -%}
    {%- set overflow = 'aggregation ' ~ task.aggregation ~ ': a sum of ' ~ part.argument
        ~ ' is beyond the range of its type; sum a wider one, such as sum(cast('
        ~ part.argument ~ ' as decimal(38, 0)))' -%}
    {{- return(strandline._filled(strandline._parts()[part.kind][mode], {
        'x': part.argument if mode == 'partial' else part.column,
        'at': 'agg_event_time',
        'arrival': 'agg_event_arrival',
        'overflow': strandline._literal(overflow),
    })) -}}
{% endmacro %}

{#- The columns of a roll-up's upstream table as a select list. If the upstream is the base table,
    the points of a time weight are converted to their summary, once per row. -#}
{% macro _upstream_columns(task) %}
    {%- set points = task.parts | selectattr('kind', 'equalto', 'time_weight') | list
        if task.upstream_is_base else [] -%}
    {%- if not points -%}{{- return('*') -}}{%- endif -%}
    {%- set items = ['* except (' ~ points | map(attribute='column') | join(', ') ~ ')'] -%}
    {%- for part in points -%}
        {%- do items.append(strandline._folded_points(part.column, part.method, part.gap) ~ ' as '
            ~ part.column) -%}
    {%- endfor -%}
    {{- return(items | join(',\n    ')) -}}
{% endmacro %}

{#- The expression that computes an output from its stored parts, by `_stored_aggregates`. -#}
{% macro _read_output(output, is_base, known) %}
    {%- if output.function == 'time_weight' and is_base -%}
        {{- return(strandline._folded_points(output.columns.time_weight, output.option.method,
            output.option.gap)) -}}
    {%- endif -%}
    {%- set read = '{latest}.value' if output.function == 'latest'
        else known[output.function].read -%}
    {{- return(strandline._filled(read, dict(output.columns, option=output.option))) -}}
{% endmacro %}

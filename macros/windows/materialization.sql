{#- The materialization of a window. A run reads the new events, moves the clock, and writes in one
    commit: the open rows replace those of the table, and the rows that left are appended. The row
    of kind `clock` says how far the table has read. -#}
{% materialization strandline_window, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code) -%}
    {%- set task = begun.task -%}
    {%- set run = strandline._window_run(this, task, begun.is_new) -%}
    {%- if run is none -%}
        {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- set version = none if begun.is_new else strandline._version_of(this) -%}
        {%- do strandline._stage_window(this, task, run) -%}
        {%- set rows = strandline._window_rows(task, run) -%}
        {%- if begun.is_new -%}
            {%- do strandline._create(begun, strandline._create_table(this, task, rows,
                {'strandline.build': invocation_id,
                    'delta.dataSkippingStatsColumns': 'entered.at,expelled.at,entry'})) -%}
        {%- else -%}
            {%- set message = strandline._write_window(this, rows,
                begun.properties['strandline.build'], version) -%}
            {%- call noop_statement('main', message=message) -%}{%- endcall -%}
        {%- endif -%}
        {%- do strandline._drop_staged(this) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- One commit that replaces the open rows. Two runs that start from the same version write with the
    same token, and Delta accepts only one. The setting makes Delta accept rows of other partitions
    beside the one that is replaced. -#}
{% macro _write_window(relation, rows, build, version) %}
    {%- set setting = 'spark.databricks.delta.replaceWhere.constraintCheck.enabled' -%}
    {%- do run_query('set ' ~ setting ~ ' = false') -%}
    {%- set written = strandline._write_once('insert into ' ~ relation
        ~ " replace where window_part = 'open' " ~ rows, build, version) -%}
    {%- do run_query('reset ' ~ setting) -%}
    {{- return('wrote rows' if written else 'left to the next run: another run has written') -}}
{% endmacro %}

{#- The parameters of a run: what the table has read, what is new, and the clock after it. None if
    there is nothing new. `last` and `first` bound the new rows: arrival numbers, or cycles. -#}
{% macro _window_run(relation, task, is_new) %}
    {%- set run = {'is_stored': not is_new, 'stored': relation | string, 'clock': none,
        'first': none, 'events': 0, 'accepted': 0} -%}
    {%- if not is_new -%}
        {%- set row = run_query("select window_progress.* from " ~ relation
            ~ " where window_part = 'open' and row_kind = 'clock'").rows[0] -%}
        {%- do run.update({'clock': none if row[0] is none else row[0] | int,
            'events': row[1] | int, 'accepted': row[2] | int, 'seen': row[3]}) -%}
    {%- endif -%}
    {%- do strandline._chained_bounds(task, run) if task.status
        else strandline._arrival_bounds(task, run) -%}
    {%- set clocks = [run.clock, run.newest] -%}
    {%- if not task.status -%}{%- do clocks.append(strandline._as_of()) -%}{%- endif -%}
    {%- set clocks = clocks | reject('none') | list -%}
    {%- do run.update({'now': clocks | max if clocks else -9000000000000000000}) -%}
    {%- if not is_new and not run.new_events and run.now == run.clock -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(run) -}}
{% endmacro %}

{#- The range of the new arrival numbers, and the newest time among them. -#}
{% macro _arrival_bounds(task, run) %}
    {%- set row = run_query('select count(*), min(' ~ task.arrival ~ '), max(' ~ task.arrival
        ~ '), max(unix_micros(' ~ task.clock ~ ')), count_if(' ~ task.arrival ~ ' is null) from '
        ~ task.upstream ~ ('' if run.seen is none or run.seen is not defined
            else ' where ' ~ task.arrival ~ ' > ' ~ run.seen ~ ' or ' ~ task.arrival
                ~ ' is null')).rows[0] -%}
    {%- if row[4] -%}
        {%- do strandline._refuse(model.name, [row[4] | int ~ ' of ' ~ row[0] | int
            ~ " new events have no `" ~ task.arrival
            ~ "`; nothing was written; number them, and run again"]) -%}
    {%- endif -%}
    {%- do run.update({'new_events': row[0] | int, 'first': 0 if row[1] is none else row[1] | int,
        'last': -1 if row[2] is none else row[2] | int,
        'newest': none if row[3] is none else row[3] | int}) -%}
    {%- do run.update({'seen_now': (run.last if run.new_events else run.seen) }) -%}
{% endmacro %}

{#- The range of the new cycles of the source window, and its clock. -#}
{% macro _chained_bounds(task, run) %}
    {%- set cycle = 'entered' if task.status == 'new' else 'expelled' -%}
    {%- set type = 'struct<at: timestamp, arrival: bigint, step: array<int>>' -%}
    {%- set seen = none if not run.seen else "from_json('" ~ run.seen ~ "', '" ~ type
        ~ "', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX'))" -%}
    {%- set row = run_query("select count(" ~ cycle ~ "), to_json(max(" ~ cycle
        ~ "), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timeZone', 'UTC')), "
        ~ "unix_micros(min(" ~ cycle ~ ".at)), unix_micros(max(" ~ cycle ~ ".at)) from "
        ~ task.upstream ~ " where row_kind = 'row' and " ~ cycle ~ " is not null"
        ~ (" and " ~ cycle ~ " > " ~ seen if seen else '')).rows[0] -%}
    {%- set clock = run_query("select window_progress.clock from " ~ task.upstream
        ~ " where window_part = 'open' and row_kind = 'clock'").rows[0][0] -%}
    {%- do run.update({'new_events': row[0] | int, 'first': seen,
        'last': "from_json('" ~ row[1] ~ "', '" ~ type
            ~ "', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX'))"
            if row[1] else 'cast(null as ' ~ type ~ ')',
        'earliest': row[2] | int if row[2] is not none else 0,
        'width': ((row[3] | int) - (row[2] | int)) // 256 + 1 if row[2] is not none else 1,
        'newest': none if clock is none else clock | int,
        'seen_now': row[1] or run.seen}) -%}
{% endmacro %}

{#- Stages what several statements of a run read: the events and the folded rows of a folded window,
    and the stays behind aggregates. -#}
{% macro _stage_window(relation, task, run) %}
    {%- if strandline._is_folded(task.store) -%}
        {%- if not strandline._in_session() -%}
            {%- do strandline._refuse('window_table of ' ~ model.name, ["this `store` is computed "
                ~ "row after row in the driver's session, and the connection is not of type "
                ~ "strandline with method session or connect; take such a profile (docs/windows.md)"
                ]) -%}
        {%- endif -%}
        {%- do run.update({'staged': strandline._staged(relation, 'events', 'with '
            ~ strandline._window_events(task, run) ~ ' select * from events')}) -%}
        {%- set folded = strandline._staging(relation, 'folded').identifier -%}
        {%- do adapter.fold_query(strandline._fold_input(task, run), folded, tojson({
            'kind': 'last' if task.store.kind == 'sliding' else task.store.kind,
            'keys': task['keys'], 'clock': run.now, 'every': task.every,
            'grouped': task.update_group | length > 0})) -%}
        {%- do run.update({'folded': '`' ~ folded ~ '`'}) -%}
    {%- endif -%}
    {%- if task.aggregates -%}
        {%- do run.update({'stays': strandline._staged(relation, 'stays', 'with '
            ~ strandline._window_events(task, run) ~ ',\n\n' ~ strandline._stays(task, run)
            ~ ' select * from stays')}) -%}
    {%- endif -%}
{% endmacro %}

{#- All rows that a run writes. A row is in the partition `open` while a later run can change it,
    then in that of the month in which it left. -#}
{% macro _window_rows(task, run) -%}
{%- set month = "date_format(coalesce(expelled.at, entered.at), 'yyyy-MM')" -%}
{%- set ends = 'window_state, cast(null as ' ~ strandline._progress_type() ~ ') as window_progress' -%}
with {% if task.aggregates -%}
{{ strandline._versions(task, run) }},

written as (
    {{ strandline._version_rows(task, run) | indent(4) }}
)
{%- else -%}
{{ strandline._window_events(task, run) }},

{{ strandline._stays(task, run) }},

written as (
    select {{ task.columns | join(', ') }}, entered, expelled, entry, exit, reason, row_kind,
        window_state
    from stays
)
{%- endif %}
select
    written.*, cast(null as {{ strandline._progress_type() }}) as window_progress,
    case
        when row_kind = 'late'
            then coalesce(date_format(timestamp_micros(window_state.at), 'yyyy-MM'), 'none')
        when expelled is null then 'open'
        else date_format(expelled.at, 'yyyy-MM')
    end as window_part
from written
union all
select
    {%- for _ in range(strandline._row_width(task)) %} null,{% endfor %}
    'clock', null, named_struct('clock', {{ strandline._long(run.now if run.now
        != -9000000000000000000 else none) }}, 'events',
        {{ run.events + run.new_events }}L, 'accepted', {{ strandline._accepted(task, run) }},
        'seen', {{ "'" ~ run.seen_now ~ "'" if run.seen_now is not none
            else 'cast(null as string)' }}), 'open'
{%- endmacro %}

{#- The number of columns of a written row before `row_kind`. -#}
{% macro _row_width(task) %}
    {{- return((task['keys'] | length + task.aggregates | length + 3 if task.aggregates
        else task.columns | length) + 5) -}}
{% endmacro %}

{% macro _long(value) %}
    {{- return('cast(null as bigint)' if value is none else value ~ 'L') -}}
{% endmacro %}

{#- How many events were accepted so far; counted only with `weight`. -#}
{% macro _accepted(task, run) %}
    {%- if task.weight == 1 -%}{{- return('0L') -}}{%- endif -%}
    {{- return('(select count(*) + ' ~ run.accepted ~ ' from ' ~ task.upstream ~ ' where '
        ~ task.arrival ~ ' >= ' ~ run.first ~ ' and ' ~ task.arrival ~ ' <= ' ~ run.last
        ~ (' and (' ~ task.where ~ ')' if task.where else '') ~ ')') -}}
{% endmacro %}

{% macro _progress_type() %}
    {{- return('struct<clock: bigint, events: bigint, accepted: bigint, seen: string>') -}}
{% endmacro %}

{#- The rows of a window with aggregates: its versions, and the events behind them that are still
    inside, never enter, or wait. -#}
{% macro _version_rows(task, run) -%}
{%- set names = task.aggregates | map(attribute='name') | list -%}
{%- set event = task.columns | reject('in', task['keys']) | list -%}
select {{ (task['keys'] + names) | join(', ') }}, window_event, window_values, window_totals,
    entered, expelled, entry, exit, reason, row_kind, window_state
from (
    select {{ (task['keys'] + names) | join(', ') }}, null as window_event, window_values,
        window_totals, entered, expelled, entry, exit, null as reason, 'row' as row_kind,
        null as window_state
    from versions
    union all
    select {{ (task['keys'] + ['null'] * names | length) | join(', ') }},
        struct({{ (event or ['true as nothing']) | join(', ') }}), null, null,
        entered, null, entry, null, reason, row_kind, window_state
    from {{ run.stays }}
    where expelled is null
)
{%- endmacro %}

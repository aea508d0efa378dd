{#- The body of an incremental model of patterns over several windows. See _macros.yml. -#}
{% macro correlation_table(streams, when, select, where=none) %}
    {%- set who = strandline._caller('correlation_table') -%}
    {%- if kwargs.not_after is defined -%}
        {%- do strandline._refuse(who, ["there is no argument `not_after`: a correlation has the "
            ~ "earliest clock of its windows; write window_table(…, not_after=…) for each of "
            ~ "them"]) -%}
    {%- endif -%}
    {%- set read = strandline._arguments(who, kwargs, varargs, {
        'streams': ['any', streams,
            "write {'one': {'window': ref('stage_1_window'), 'on': 'id'}, …}"],
        'when': ['any', when, "write a list of patterns, such as ['one and not two']"],
        'select': ['any', select, "write a mapping of names to expressions, such as "
            ~ "{'stage_1_id': 'one.event_id'}"],
        'where': ['text', where, "write a condition over the names of `select`, such as "
            ~ "'priority < 7.5', or leave it out", {'optional': true}],
    }) -%}
    {%- set task = strandline._correlation_task(read) -%}
    {%- do strandline._refuse(who, read.faults) -%}
    {{- config(materialized='strandline_correlation', file_format=strandline._file_format(),
        partition_by=['window_part']) -}}
    {%- if execute -%}
        {{- strandline._task_line(task) }}
{{ strandline._correlation_body(task) }}
    {%- endif -%}
{% endmacro %}

{#- The body of a correlation: what has fired in a full refresh, up to the frontier of its windows,
    in one query. -#}
{% macro _correlation_body(task) -%}
{%- set run = {'watermark': none, 'stored': none, 'correlations': [],
    'has_several': strandline._streams_read(task) != [],
    'now': {'clock': '(select __now.clock from __frontier)',
        'arrival': '(select __now.arrival from __frontier)'}} -%}
with __frontier as (
    select min(struct(coalesce(clock, -9000000000000000000L) as clock,
        coalesce(arrival, -1L) as arrival)) as __now
    from (
        {%- for window in task.upstream.values() %}
        {{ 'union all' if not loop.first }}
        select window_progress.clock, window_progress.arrival from {{ window }}
        where window_part = 'open' and row_kind = 'clock'
        {%- endfor %}
    )
),

__correlation_changes as (
    {{ strandline._correlation_changes(task, run) | indent(4) }}
)

select * from (
    {{ strandline._fired_rows(task, dict(run, changes='__correlation_changes')) | indent(4) }}
)
{%- endmacro %}

{#- What the materialization needs to know, as plain data. Appends faults. -#}
{% macro _correlation_task(read) %}
    {%- set faults = read.faults -%}
    {%- set streams = strandline._read_streams(read.streams, faults) -%}
    {%- set aliases = streams | map(attribute='alias') | list -%}
    {%- set select = strandline._read_correlated(read.select, aliases, faults) -%}
    {%- if read.where is string -%}
        {%- do strandline._check_correlated_where(read.where, select, aliases, faults) -%}
    {%- endif -%}
    {%- set upstream, carried = {}, [] -%}
    {%- for stream in streams -%}
        {%- do upstream.update({stream.alias: stream.window | string}) -%}
        {%- do carried.append({'alias': stream.alias, 'name': stream.window.identifier,
            'on': stream.on, 'columns': strandline._read_columns(select, stream.alias)}) -%}
    {%- endfor -%}
    {%- if execute -%}
        {%- do strandline._check_streams(streams, carried, faults) -%}
    {%- endif -%}
    {{- return({'kind': 'correlation', 'upstream': upstream, 'streams': carried,
        'where': read.where, 'select': select,
        'patterns': strandline._read_patterns(read.when, aliases, faults) if aliases else []}) -}}
{% endmacro %}

{#- Reads `streams`: a list of alias, window, and the column of the id. -#}
{% macro _read_streams(streams, faults) %}
    {%- set read = [] -%}
    {%- set allowed = "write a mapping of up to 60 aliases, such as {'one': {'window': "
        ~ "ref('stage_1_window'), 'on': 'event_id'}, 'two': …}" -%}
    {%- if streams is not mapping or not streams or streams | length > 60 -%}
        {%- do faults.append("`streams` is '" ~ streams ~ "'; " ~ allowed) -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for alias, given in streams.items() -%}
        {%- if not strandline._is_identifier(alias) or alias.startswith('__')
            or alias | lower in strandline._window_columns() + strandline._correlation_columns()
            or alias | lower in ['and', 'or', 'not'] -%}
            {%- do faults.append("`streams` has the alias '" ~ alias ~ "'; write a plain name that "
                ~ "is not a column of the table, not `and`, `or` or `not`, and does not begin "
                ~ "with two underscores") -%}
        {%- elif given is not mapping or given | list | sort != ['on', 'window']
            or not strandline._is_relation(given.window)
            or not strandline._is_column_name(given.on) -%}
            {%- do faults.append("`streams` has " ~ alias ~ " = '" ~ given ~ "'; give a `window`, "
                ~ "a relation such as ref('stage_1_window'), and `on`, the column of the id") -%}
        {%- else -%}
            {%- do read.append({'alias': alias | lower, 'window': given.window,
                'on': given.on | lower}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The columns of a correlation beside those of every window. -#}
{% macro _correlation_columns() %}
    {{- return(['correlation_id', 'pattern']) -}}
{% endmacro %}

{#- Reads `select`: a list of names, their expressions, and the columns of streams in them. -#}
{% macro _read_correlated(select, aliases, faults) %}
    {%- set read = [] -%}
    {%- if select is not mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select ~ "'; write a mapping of names to SQL "
            ~ "expressions over alias.column and the names before, such as {'stage_1_id': "
            ~ "'one.event_id'}") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set taken = aliases + strandline._window_columns() + strandline._correlation_columns() -%}
    {%- for name, sql in select.items() -%}
        {%- if not strandline._is_column_name(name) or name | lower in taken -%}
            {%- do faults.append("`select` has the name '" ~ name ~ "'; write a column name that "
                ~ "is no alias of `streams` and no column of every window, has no line break and "
                ~ "no ${, and does not begin with two underscores") -%}
        {%- endif -%}
        {%- if sql is not string or not sql | trim -%}
            {%- do faults.append("`select` has " ~ name ~ " = '" ~ sql
                ~ "'; write an SQL expression, such as 'one.event_id'") -%}
        {%- else -%}
            {%- set known = read | map(attribute='name') | list -%}
            {%- do read.append({'name': name | string | lower, 'sql': sql | trim,
                'reads': strandline._stream_columns(sql, aliases, known, name, faults)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The columns of streams in an expression of `select`, as [alias, column]. -#}
{% macro _stream_columns(sql, aliases, names, output, faults) %}
    {%- set reads = [] -%}
    {%- for alias, column in strandline._qualified_names(sql) -%}
        {%- if alias in aliases -%}
            {%- do reads.append([alias, column]) -%}
        {%- elif aliases and alias not in names + ['entered', 'correlation_id']
            and not strandline._has_query(sql) -%}
            {%- do faults.append("`select` has " ~ output ~ " = '" ~ sql ~ "', and `streams` has "
                ~ "no alias '" ~ alias ~ "'; it has " ~ strandline._choices(aliases)
                ~ strandline._nearest(alias, aliases)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(reads) -}}
{% endmacro %}

{#- Checks `where`: a condition over the names of `select`, in which no stream can be read. -#}
{% macro _check_correlated_where(where, select, aliases, faults) %}
    {%- set names = select | map(attribute='name') | list -%}
    {%- set pairs = [] if strandline._has_query(where) else strandline._qualified_names(where) -%}
    {%- for qualifier, column in pairs -%}
        {%- if qualifier in aliases -%}
            {%- do faults.append("`where` has '" ~ where ~ "', which reads " ~ qualifier ~ "."
                ~ column ~ "; it is a condition over the names of `select`: add '" ~ qualifier
                ~ '_' ~ column ~ "': '" ~ qualifier ~ '.' ~ column ~ "' to `select`, and write "
                ~ qualifier ~ '_' ~ column) -%}
        {%- elif names and qualifier not in names + ['entered', 'correlation_id'] -%}
            {%- do faults.append("`where` has '" ~ where ~ "', which reads " ~ qualifier ~ "."
                ~ column ~ ", and `select` has no name '" ~ qualifier ~ "'; it has "
                ~ strandline._choices(names) ~ strandline._nearest(qualifier, names)) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- Whether an SQL text has a query in it, whose tables have names that are not checked. -#}
{% macro _has_query(sql) %}
    {{- return(modules.re.search('(?i)\\(\\s*select\\b', sql) is not none) -}}
{% endmacro %}

{#- The pairs `name.name` in an SQL text, in lower case, without backticks. Texts in quotes and
    comments are not read; nor are the parameters of lambda functions, and names of functions. -#}
{% macro _qualified_names(sql) %}
    {%- set read = modules.re.sub(
        '(?s)\'(?:\\\\.|[^\'\\\\])*\'|"(?:\\\\.|[^"\\\\])*"|--[^\\n]*|/\\*.*?\\*/', "''", sql)
        -%}
    {%- set parameters = [] -%}
    {%- for list, one in modules.re.findall('\\(([\\w\\s,]+)\\)\\s*->|(\\w+)\\s*->', read) -%}
        {%- for name in (list or one).split(',') -%}
            {%- do parameters.append(name | trim | lower) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set name = '([^\\W\\d]\\w*|`(?:[^`]|``)+`)' -%}
    {%- set pairs = [] -%}
    {%- for qualifier, column in modules.re.findall(
        '(?<![\\w.`])' ~ name ~ '\\s*\\.\\s*' ~ name ~ '(?!\\w)(?!\\s*\\()', read) -%}
        {%- set pair = [] -%}
        {%- for text in [qualifier, column] -%}
            {%- do pair.append((text[1:-1].replace('``', '`') if text.startswith('`') else text)
                | lower) -%}
        {%- endfor -%}
        {%- if pair[0] not in parameters -%}{%- do pairs.append(pair) -%}{%- endif -%}
    {%- endfor -%}
    {{- return(pairs) -}}
{% endmacro %}

{#- The materialization of a correlation. A run reads its windows up to the frontier, and writes in
    one commit what has fired and what it needs to know of the ids that are in a window. -#}
{% materialization strandline_correlation, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code, uses_clock=true) -%}
    {%- if begun.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task = begun.task -%}
    {%- set state = none if begun.is_new else strandline._window_state(this) -%}
    {%- set run = strandline._correlation_run(this, task, begun.is_new) -%}
    {%- if run is none -%}
        {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- set run = dict(run, changes=strandline._staged(this, 'changes',
            strandline._correlation_changes(task, run))) -%}
        {%- set run = dict(run, has_several=strandline._has_several(task, run)) -%}
        {%- set rows = strandline._correlation_rows(task, run) -%}
        {%- do strandline._write_window(begun, task, rows, run.depth, state,
            'entered.at,entry', 'correlation_id') -%}
        {%- do strandline._drop_staged(this) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- The parameters of a run: the watermark (what the table has read), and `now`, the frontier up to
    which all windows are complete: the earliest of their clocks, with the arrival number there.
    `correlations` are the places of the streams that are correlations. None if the frontier has not
    moved. -#}
{% macro _correlation_run(relation, task, is_new) %}
    {%- set windows = strandline._window_progress_of(task.upstream.values() | list) -%}
    {%- set builds = windows | map(attribute='build') | join(',') -%}
    {%- set reached = [] -%}
    {%- for window in windows -%}
        {%- do reached.append([-9000000000000000000 if window.clock is none else window.clock,
            window.arrival]) -%}
    {%- endfor -%}
    {%- set now = reached | min -%}
    {%- set correlations = [] -%}
    {%- for window in windows -%}
        {%- if window.kind == 'correlation' -%}
            {%- do correlations.append(loop.index0) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set watermark = none -%}
    {%- if not is_new -%}
        {%- set row = run_query("select window_progress.clock, window_progress.arrival, "
            ~ "window_progress.builds from " ~ relation
            ~ " where window_part = 'open' and row_kind = 'clock'").rows[0] -%}
        {%- set watermark = {'clock': row[0] | int, 'arrival': row[1] | int} -%}
        {%- do strandline._check_builds(task.streams | map(attribute='name') | list, row[2],
            builds) -%}
    {%- endif -%}
    {%- set frontier = {'clock': now[0], 'arrival': now[1]} -%}
    {{- return(none if watermark == frontier else {
        'stored': relation | string, 'watermark': watermark, 'builds': builds,
        'correlations': correlations, 'now': frontier,
        'depth': windows | map(attribute='depth') | max}) -}}
{% endmacro %}

{#- Appends a fault if a stream is no window, a column does not exist, or the ids have different
    types. `carried` are the streams with the columns that `select` reads. A window that does not
    exist yet is not checked. -#}
{% macro _check_streams(streams, carried, faults) %}
    {%- set ids = {} -%}
    {%- for stream in carried -%}
        {%- set window = streams[loop.index0].window -%}
        {%- set types = strandline._types_of(window) -%}
        {%- set own = {} -%}
        {%- for column, type in types.items() if column not in strandline._window_columns() -%}
            {%- do own.update({column: type}) -%}
        {%- endfor -%}
        {%- if types and 'window_part' not in types -%}
            {%- do faults.append("`streams` has " ~ stream.alias ~ " over " ~ stream.name
                ~ ", which is not a window; take a window_table") -%}
        {%- elif types -%}
            {%- do strandline._check_column('streams', stream.on, window, own,
                {'type': 'comparable'}, faults) -%}
            {%- for column in stream.columns -%}
                {%- do strandline._check_column('select', column, window, own, {}, faults) -%}
            {%- endfor -%}
            {%- do ids.update({stream.alias ~ '.' ~ stream.on: own.get(stream.on)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if ids.values() | reject('none') | unique | list | length > 1 -%}
        {%- set shown = [] -%}
        {%- for id, type in ids.items() -%}
            {%- do shown.append(id ~ ' is ' ~ type | upper) -%}
        {%- endfor -%}
        {%- do faults.append("`streams` has ids of different types: " ~ shown | join(', ')
            ~ "; cast them to one type in a staging model") -%}
    {%- endif -%}
{% endmacro %}

{#- The columns of one stream that `select` reads. -#}
{% macro _read_columns(select, stream) %}
    {%- set columns = [] -%}
    {%- for output in select -%}
        {%- for alias, column in output.reads if alias == stream -%}
            {%- do columns.append(column) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(columns | unique | sort | list) -}}
{% endmacro %}

{#- The CTE `__stays`: the rows of all streams that are or were inside after the watermark, and
    what is stored of the ids that have such rows (stream -1). A cycle after the frontier has not
    happened yet. -#}
{% macro _correlated_stays(task, run) -%}
__stays as (
    {%- for stream in task.streams %}
    {%- set place = loop.index0 %}
    {{ 'union all' if not loop.first }}
    select {{ strandline._quoted(stream.on) }} as __id, {{ place }} as __stream,
        entry as __entry, exit as __exit, entered as __entered,
        if({{ strandline._is_until('expelled', run.now) }}, expelled, null) as __expelled,
        {{ 'false' if run.watermark is none
            else strandline._is_until('entered', run.watermark) }} as __was_inside,
        cast(null as {{ strandline._life_type() }}) as __life
        {%- for other in task.streams if other.columns %},
        {{ strandline._stream_event(other) if other.alias == stream.alias else 'null' }}
            as {{ strandline._quoted(other.alias) }}
        {%- endfor %}
    from {{ task.upstream[stream.alias] }}
    where row_kind = 'row' and {{ strandline._quoted(stream.on) }} is not null
        and {{ strandline._is_until('entered', run.now) }}
        {{- strandline._is_inside_after(run.watermark, place in run.correlations) }}
    {%- endfor %}
    {%- if run.watermark is not none %}
    union all
    select correlation_id, -1, null, null, null, null, true, window_state
        {%- for other in task.streams if other.columns %}, null{% endfor %}
    from {{ run.stored }}
    where window_part = 'open' and row_kind = 'life'
    {%- endif %}
)
{%- endmacro %}

{#- The conditions, after others, that a row of a stream is or was inside after the watermark. Files
    and months of rows that left before are skipped: Delta has statistics of `expelled.at`, and none
    of whether the struct is null.

    The partition of a row is the month in which it left. The bound is two days earlier, because the
    session that wrote the row may have had another time zone; and the month of a year with more
    than four digits begins with a sign. The rows of a correlation never leave: their partition is
    the month in which they entered, so none may be skipped. -#}
{% macro _is_inside_after(watermark, is_correlation) %}
    {%- if watermark is none -%}{{- return('') -}}{%- endif -%}
    {%- set clock = 'timestamp_micros(' ~ watermark.clock ~ ')' -%}
    {%- set conditions = ['',
        '(expelled is null or not ' ~ strandline._is_until('expelled', watermark) ~ ')',
        '(expelled.at is null or expelled.at >= ' ~ clock ~ ')'] -%}
    {%- if not is_correlation -%}
        {%- do conditions.append("(window_part >= date_format(" ~ clock
            ~ " - interval 2 days, 'yyyy-MM') or window_part < '0')") -%}
    {%- endif -%}
    {{- return(conditions | join('\n        and ')) -}}
{% endmacro %}

{#- The columns of a stream's row that `select` reads, as one struct. -#}
{% macro _stream_event(stream) %}
    {%- set fields = [] -%}
    {%- for column in stream.columns -%}
        {%- set name = strandline._quoted(column) -%}
        {%- do fields.append(name ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {{- return('struct(' ~ fields | join(', ') ~ ')') -}}
{% endmacro %}

{#- Whether a cycle is one of those up to a clock and an arrival number. -#}
{% macro _is_until(cycle, until) %}
    {%- set clock = "timestamp_micros(" ~ until.clock ~ ")" -%}
    {{- return('(' ~ cycle ~ '.at is null or ' ~ cycle ~ '.at < ' ~ clock ~ ' or (' ~ cycle
        ~ '.at = ' ~ clock ~ ' and (' ~ cycle ~ '.arrival is null or ' ~ cycle ~ '.arrival <= '
        ~ until.arrival ~ ')))') -}}
{% endmacro %}

{#- What is stored of an id between runs: whether a pattern has fired, and for each delayed pattern
    whether it is on the watch list (true), off it by an event of a `not` stream (false), or
    neither. -#}
{% macro _life_type() %}
    {{- return('struct<fired: boolean, watches: array<boolean>>') -}}
{% endmacro %}

{#- All rows that a run of a correlation writes: what has fired, in the month of its cycle, and in
    the partition `open` what the next run needs to know. -#}
{% macro _correlation_rows(task, run) -%}
{{ strandline._fired_rows(task, run) }}
union all
select {{ 'null, ' * task.select | length }}__id, null, null, null, null, null, null,
    'life', named_struct('fired', __was_fired or __fires is not null, 'watches', __watches), null,
    null, null, null, 'open'
from {{ run.changes }}
where __is_last and __present <> 0
    and (__was_fired or __fires is not null or exists(__watches, __each -> __each is not null))
union all
select {{ 'null, ' * task.select | length }}null, null, null, null, null, null, null, 'clock', null,
    named_struct('clock', {{ strandline._long(run.now.clock) }}, 'events', 0L, 'accepted', 0L,
        'seen', cast(null as string), 'arrival', {{ strandline._long(run.now.arrival) }},
        'builds', {{ strandline._text(run.builds) }}), null, null, null, 'open'
{%- endmacro %}

{#- Whether something fired whose rows do not all come along (`__is_sole`). -#}
{% macro _has_several(task, run) %}
    {{- return(strandline._streams_read(task) != []
        and run_query('select 1 from ' ~ run.changes
            ~ ' where __fires is not null and not __is_sole limit 1').rows | length > 0) -}}
{% endmacro %}

{#- The rows of what has fired. -#}
{% macro _fired_rows(task, run) -%}
{%- set names = [] -%}
{%- for output in task.select -%}
    {%- do names.append(strandline._quoted(output.name)) -%}
{%- endfor -%}
with
{%- if run.has_several %}
{{ strandline._correlated_stays(task, run) }},
{%- endif %}

__fired as (
    select *, {{ strandline._pattern_case(task, 'fires') }} as __text,
        {{ strandline._pattern_case(task, 'is_delayed') }} as __is_delayed,
        {{ strandline._pattern_case(task, 'streams') }} as __streams
    from {{ run.changes }}
    where __fires is not null
),

__correlated as (
    {{ strandline._correlated_events(task, run) | indent(4) }}
),

__selected as (
    select
        {%- for output in task.select %}
        {{ output.sql }} as {{ strandline._quoted(output.name) }},
        {%- endfor %}
        correlation_id, pattern, entered, __place as entry
    from (select * from __correlated)
)

select
    {{ names | join(', ') }}, correlation_id, pattern, entered,
    cast(null as {{ strandline._cycle_type() }}) as expelled, entry, cast(null as bigint) as exit,
    cast(null as string) as reason, 'row' as row_kind,
    cast(null as {{ strandline._life_type() }}) as window_state,
    cast(null as {{ strandline._progress_type() }}) as window_progress,
    cast(null as string) as window_event, cast(null as string) as window_values,
    cast(null as string) as window_totals,
    coalesce(date_format(entered.at, 'yyyy-MM'), 'none') as window_part
from __selected
{%- if task.where is not none %}
where {{ task.where }}
{%- endif %}
{%- endmacro %}

{#- What fired, with the row of each of the pattern's streams: of several rows of the id that are
    inside, the one that entered first. A delayed pattern sees what was inside before the cycle. A
    row that is the only one inside comes along; others are found by a join.
    `select` reads the aliases, `correlation_id`, `pattern` and `entered`. -#}
{% macro _correlated_events(task, run) -%}
{%- set read = strandline._streams_read(task) -%}
select __id as correlation_id, __text as pattern, __cycle as entered, __place
    {%- for stream in read %},
    if(__streams & {{ strandline._stream_bits([stream.place]) }} <> 0, {{ stream.event }}, null)
        as {{ stream.event }}
    {%- endfor %}
from __fired
{%- if read and run.has_several %}
where __is_sole
union all
select __fired.__id, any_value(__text), any_value(__cycle), any_value(__fired.__place)
    {%- for stream in read %},
    min_by(__stays.{{ stream.event }}, struct(__entered, __entry)) filter (
        where __stream = {{ stream.place }}
        and __streams & {{ strandline._stream_bits([stream.place]) }} <> 0)
    {%- endfor %}
from (select * from __fired where not __is_sole) as __fired
inner join __stays on __fired.__id = __stays.__id
    and if(__is_delayed,
        __entered < __cycle and (__expelled is null or __expelled >= __cycle),
        __entered <= __cycle and (__expelled is null or __expelled > __cycle))
group by __fired.__id, __life_number
{%- endif -%}
{%- endmacro %}

{#- A property of the pattern that fired. -#}
{% macro _pattern_case(task, property) -%}
case __fires
        {%- for pattern in task.patterns %}
        when {{ loop.index0 }} then {{ {'fires': strandline._literal(pattern.text),
            'is_delayed': 'true' if pattern.absent else 'false',
            'streams': strandline._stream_bits(pattern.present)}[property] }}
        {%- endfor %}
    end
{%- endmacro %}

{#- The body of an incremental model of a window: a table of stays. See _macros.yml. -#}
{% macro window_table(source, store, ts=none, arrival=none, keys=[], where=none, aggregates=none,
    pinned=false, update_group=none, clock=none, weight=none, every=none, not_after=none) %}
    {%- set comparable = {'type': 'comparable', 'reserved': {'names': strandline._window_columns(),
        'why': 'which is the name of a column of every window'}} -%}
    {%- set read = strandline._arguments(strandline._caller('window_table'), kwargs, varargs, {
        'source': ['relation', source,
            "pass a relation: ref('request_events'), or another window_table"],
        'store': ['any', store, "write one of: " ~ strandline._grammar()],
        'ts': ['column', ts, none, {'optional': true, 'type': 'timestamp'}],
        'arrival': ['column', arrival, none, {'optional': true, 'type': 'whole'}],
        'keys': ['columns', keys, "write a list of columns, such as ['src_ip'], or [] for one "
            ~ "window", comparable],
        'where': ['any', where],
        'aggregates': ['any', aggregates],
        'pinned': ['flag', pinned],
        'update_group': ['columns', update_group, "write a list of columns, such as ['sku'], or "
            ~ "leave it out", dict(comparable, optional=true)],
        'clock': ['column', clock, none, {'optional': true, 'type': 'timestamp'}],
        'weight': ['any', weight],
        'every': ['length', every, "write a length of time such as '10 seconds'",
            {'optional': true}],
        'not_after': ['expression', not_after, strandline._bound_form(), {'optional': true}],
    }) -%}
    {%- set task = strandline._window_task(read) -%}
    {%- set known = strandline._event_columns(task, read) -%}
    {%- set task = dict(task, **strandline._carried(task, known)) -%}
    {%- do strandline._check_window(task, read, known) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- config(materialized='strandline_window', file_format=strandline._file_format(),
        partition_by=['window_part']) -}}
    {%- if execute -%}
        {{- strandline._task_line(task) }}
{{ strandline._window_body(task) }}
    {%- endif -%}
{% endmacro %}

{#- What was read of the arguments, as plain data; `_carried` has the columns. Appends faults. -#}
{% macro _window_task(read) %}
    {%- set faults = read.faults -%}
    {%- set keys = read['keys'] | map('lower') | list -%}
    {%- set groups = (read.update_group or []) | map('lower') | list -%}
    {%- set store = strandline._read_store(read.store, faults) -%}
    {%- set aggregates = strandline._read_aggregates(read.aggregates, faults) -%}
    {%- if groups and store.kind not in ['highest', 'lowest', none] -%}
        {%- do faults.append("`update_group` is given, and `store` is neither highest nor lowest; "
            ~ "leave it out") -%}
    {%- endif -%}
    {%- if read.pinned is sameas true and not aggregates -%}
        {%- do faults.append("`pinned` is true, which may be true only with `aggregates`: it keeps "
            ~ "them when a window is empty; give `aggregates`, or leave it out") -%}
    {%- endif -%}
    {%- for aggregate in aggregates if aggregate.name | lower in keys -%}
        {%- do faults.append("`aggregates` has the name '" ~ aggregate.name
            ~ "', which is one of `keys`; take another name") -%}
    {%- endfor -%}
    {%- set status, condition = strandline._read_where(read.where, faults) -%}
    {{- return(dict({'kind': 'window', 'upstream': read.source | string,
        'upstream_name': read.source.identifier if read.source.identifier is defined else '',
        'keys': keys, 'store': store, 'where': condition, 'status': status,
        'aggregates': aggregates, 'pinned': read.pinned, 'update_group': groups},
        **strandline._window_times(read, store, status))) -}}
{% endmacro %}

{#- Splits `where` into the row status at its beginning (none for a table of events) and the
    condition. -#}
{% macro _read_where(where, faults) %}
    {%- if where is none -%}{{- return([none, none]) -}}{%- endif -%}
    {%- set form = modules.re.match(
        '(?is)^\\s*\\$row_status\\s+is\\s+(new|dead)(?:\\s+and\\s+(.+))?\\s*$', where | string) -%}
    {%- set condition = form.group(2) if form else where | string | trim -%}
    {%- if '$row_status' in (condition or '') or not where | string | trim -%}
        {%- do faults.append("`where` is '" ~ where ~ "'; write a condition; for a chained window "
            ~ "'$row_status is new' or '$row_status is dead' stands first and only there, as in "
            ~ "'$row_status is new and num_skus >= 10'") -%}
    {%- endif -%}
    {{- return([form.group(1) | lower if form else none, condition]) -}}
{% endmacro %}

{#- The arguments of time: in the events of a table they are columns; a chained window has the
    cycles of its source. Appends faults. -#}
{% macro _window_times(read, store, status) %}
    {%- set faults = read.faults -%}
    {%- for name in ['ts', 'arrival', 'clock', 'weight', 'every', 'not_after']
        if status and read[name] is not none -%}
        {%- do faults.append("`" ~ name ~ "` is given, but a chained window ('$row_status is "
            ~ status ~ "') runs in the cycles of its source; leave it out") -%}
    {%- endfor -%}
    {%- if not status and read.ts is none -%}
        {%- do faults.append("`ts` is missing; name the column of the events' time; a chained "
            ~ "window reads another window_table, with '$row_status is new' first in `where`") -%}
    {%- endif -%}
    {%- if not status and read.arrival is none -%}
        {%- do strandline._check_column('arrival', 'arrival', read.source, read.types.source,
            {'type': 'whole'}, faults) -%}
    {%- endif -%}
    {%- set count, weights = strandline._read_weight(read.weight, faults) -%}
    {%- if read.weight is not none and read.every is not none -%}
        {%- do faults.append("`weight` and `every` are both given; take one of them: cycles by "
            ~ "events, or at fixed intervals") -%}
    {%- endif -%}
    {%- set has_weights = store.kind not in ['time', 'tumbling'] -%}
    {%- if execute and read.weight is not none and not has_weights and not faults -%}
        {%- do exceptions.warn(read.who ~ ": `weight` is " ~ ('a mapping' if read.weight is mapping
            else read.weight) ~ ", and a " ~ store.kind ~ " window has no weights: each event "
            ~ "enters as it arrives; leave it out") -%}
    {%- endif -%}
    {{- return({'ts': read.ts | string | lower if read.ts else none,
        'arrival': (read.arrival or 'arrival') | string | lower,
        'clock': (read.clock or read.ts or '') | string | lower,
        'weight': count if has_weights else 1, 'weights': weights if has_weights else none,
        'every': read.every, 'not_after': read.not_after}) -}}
{% endmacro %}

{#- Reads the phrase of `store`. Returns its `kind` (sliding, time, tumbling, random, highest,
    lowest), `count` (rows), `size` (microseconds), `max`, `seed` and `using`. `count` and `size`
    are SQL: a literal, or an expression over the keys (`by_key`). Appends faults. -#}
{% macro _read_store(store, faults) %}
    {%- set read = {'kind': none, 'count': none, 'size': none, 'max': none, 'seed': none,
        'using': none, 'by_key': none} -%}
    {%- set words = (store | string | trim).split() | join(' ') -%}
    {%- set last = modules.re.match('(?i)^last (.+?)(?: max (\\d+))?$', words) -%}
    {%- set latest = modules.re.match('(?i)^latest (\\d+)$', words) -%}
    {%- set chance = modules.re.match('(?i)^random (\\d+)(?: seed (\\d{1,18}))?$', words) -%}
    {%- set ranked = modules.re.match('(?i)^(highest|lowest) (\\d+) using (\\w+|`[^`]+`)$',
        words) -%}
    {%- if last -%}
        {%- do strandline._read_last(last.group(1), read) -%}
        {%- if last.group(2) and read.kind == 'time' -%}
            {%- do read.update({'max': last.group(2)}) -%}
        {%- elif last.group(2) -%}
            {%- do read.update({'kind': none}) -%}
        {%- endif -%}
    {%- elif latest -%}
        {%- do read.update({'kind': 'tumbling', 'count': latest.group(1)}) -%}
    {%- elif chance -%}
        {%- do read.update({'kind': 'random', 'count': chance.group(1),
            'seed': chance.group(2) or '0'}) -%}
    {%- elif ranked -%}
        {%- do read.update({'kind': ranked.group(1) | lower, 'count': ranked.group(2),
            'using': ranked.group(3).strip('`') | lower}) -%}
    {%- endif -%}
    {%- for number, limit in [[read.count, 2000000000], [read.max, 2000000000],
        [read.size, 100000000000000000]] if number is not none and number.isdigit()
        and not 1 <= number | int <= limit -%}
        {%- do read.update({'kind': none}) -%}
    {%- endfor -%}
    {%- if read.kind is none -%}
        {%- do faults.append("`store` is '" ~ store ~ "'; write one of: "
            ~ strandline._grammar()) -%}
    {%- endif -%}
    {{- return(read) -}}
{% endmacro %}

{#- What follows `last`: a number of rows, a length of time, or an expression over the keys in
    parentheses with or without a unit of time. -#}
{% macro _read_last(text, read) %}
    {%- set by_key = modules.re.match('^(\\(.+\\))(?: (\\w+))?$', text) -%}
    {%- set unit = none if not by_key
        else strandline._period('1 ' ~ (by_key.group(2) or '')).fixed -%}
    {%- if text.isdigit() -%}
        {%- do read.update({'kind': 'sliding', 'count': text}) -%}
    {%- elif by_key and not by_key.group(2) -%}
        {%- do read.update({'kind': 'sliding', 'count': by_key.group(1),
            'by_key': by_key.group(1)}) -%}
    {%- elif by_key and unit -%}
        {%- do read.update({'kind': 'time', 'by_key': by_key.group(1),
            'size': 'cast(' ~ by_key.group(1) ~ ' * ' ~ unit ~ 'L as bigint)'}) -%}
    {%- elif not by_key and strandline._period(text).fixed is not none -%}
        {%- do read.update({'kind': 'time', 'size': strandline._period(text).fixed | string}) -%}
    {%- endif -%}
{% endmacro %}

{#- The phrases of `store`, for messages. -#}
{% macro _grammar() %}
    {{- return("last N; last N milliseconds|seconds|minutes|hours|days [max M]; latest N; "
        ~ "random N [seed S]; highest N using column; lowest N using column; N and M are whole "
        ~ "numbers from 1 up, after `last` also an expression over the keys in parentheses, such "
        ~ "as last (case when tier = 'gold' then 60 else 10 end) seconds") -}}
{% endmacro %}

{#- Whether the stays are folded per key, because the rule is sequential. -#}
{% macro _is_folded(store) %}
    {{- return(store.kind in ['highest', 'lowest'] or store.max is not none
        or (store.kind == 'sliding' and store.by_key is not none)) -}}
{% endmacro %}

{#- The columns that a window adds to its rows. -#}
{% macro _window_columns() %}
    {{- return(['entered', 'expelled', 'entry', 'exit', 'reason', 'row_kind', 'window_state',
        'window_progress', 'window_part', 'window_event', 'window_values', 'window_totals']) -}}
{% endmacro %}

{#- The argument of an aggregate in SQL: a column, or an expression as it was written. -#}
{% macro _window_argument(aggregate) %}
    {{- return(strandline._quoted(aggregate.argument)
        if strandline._is_identifier(aggregate.argument) else aggregate.argument) -}}
{% endmacro %}

{#- The columns of the events of a window, with their types: those of the source, or of a chained
    window's source without what a window adds. Empty for a source that does not exist yet. -#}
{% macro _event_columns(task, read) %}
    {%- set known = {} -%}
    {%- for column, type in read.types.source.items() if 'window_part' not in read.types.source
        or column not in strandline._window_columns() -%}
        {%- do known.update({column: type}) -%}
    {%- endfor -%}
    {{- return(known) -}}
{% endmacro %}

{#- Appends what the source of a window makes wrong: it is a window and `where` has no row status,
    or it is none and has one; it has a reserved column; an aggregate or `store` reads a column that
    does not fit; Spark rejects an expression. -#}
{% macro _check_window(task, read, known) %}
    {%- set faults, types, name = read.faults, read.types.source, task.upstream_name -%}
    {%- set is_window = 'window_part' in types -%}
    {%- if types and is_window and not task.status -%}
        {%- do faults.append("`source` " ~ name ~ " is a window, and `where` does not begin with "
            ~ "a row status; write '$row_status is new' or '$row_status is dead', as in "
            ~ "'$row_status is new and num_skus >= 10'") -%}
    {%- elif types and task.status and not is_window -%}
        {%- do faults.append("`where` begins with a row status, and `source` " ~ name
            ~ " is not a window; leave the status out, or take a window_table as the source") -%}
    {%- endif -%}
    {%- do strandline._check_dead_firings(task, read.source, types, faults) -%}
    {%- for column in known if not is_window and (column in strandline._window_columns()
        or column.startswith('__')) -%}
        {%- do faults.append("`source` " ~ name ~ " has the column '" ~ column ~ "', which is the "
            ~ "name of a column of every window or begins with __; rename it in a staging model")
            -%}
    {%- endfor -%}
    {%- if task.store.using -%}
        {%- do strandline._check_column('store', task.store.using, read.source, known,
            {'type': 'comparable'}, faults) -%}
    {%- endif -%}
    {%- for column in strandline._aggregated_columns(task, known) -%}
        {%- do strandline._check_column('aggregates', column, read.source, known, {}, faults) -%}
    {%- endfor -%}
    {%- set named = modules.re.findall('[a-z_][a-z0-9_]*', modules.re.sub("'[^']*'", '',
        (task.store.by_key or '') | lower)) -%}
    {%- for column in named | unique if column in known and column not in task['keys'] -%}
        {%- do faults.append("`store` has the column '" ~ column ~ "', which is not one of `keys`; "
            ~ "the size of a window can depend on its keys only") -%}
    {%- endfor -%}
    {%- if known and not faults
        and (load_cached_relation(this) is none or should_full_refresh()) -%}
        {%- do strandline._check_window_expressions(task, read.source, known, faults) -%}
    {%- endif -%}
{% endmacro %}

{#- The columns that aggregates name, in lower case. -#}
{% macro _aggregated_columns(task, known) %}
    {%- set columns = [] -%}
    {%- for aggregate in task.aggregates
        if strandline._is_named_column(aggregate.argument, known) -%}
        {%- do columns.append(aggregate.argument | lower) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{#- Whether the argument of an aggregate is the name of a column: a plain one, or one of the source,
    which may be written without quotes, as in `sum(größe)`. -#}
{% macro _is_named_column(argument, known) %}
    {{- return(argument is string
        and (strandline._is_identifier(argument) or argument | lower in known)) -}}
{% endmacro %}

{#- What the task has of the source: the `columns` that the window carries, those by which rows are
    `ordered`, and the aggregates with the type of what they read. All columns are carried without
    aggregates, and where an expression may read any; of a source that cannot be read yet, such as
    the rows of a unit test, those that are named. -#}
{% macro _carried(task, known) %}
    {%- set named = strandline._aggregated_columns(task, known) -%}
    {%- set needed = task['keys'] + task.update_group
        + ([task.store.using] if task.store.using else []) + named
        + ([] if task.status else [task.ts, task.arrival]) -%}
    {%- set reads_any = task.aggregates | map(attribute='argument') | reject('equalto', '*') | list
        | length > named | length -%}
    {%- set columns = needed | unique | list if not known
        or task.aggregates and needed and not reads_any else known | list -%}
    {%- set ordered, aggregates = [], [] -%}
    {%- for column in columns if 'map<' not in known.get(column, '') -%}
        {%- do ordered.append(column) -%}
    {%- endfor -%}
    {%- for aggregate in task.aggregates -%}
        {%- set is_column = strandline._is_named_column(aggregate.argument, known) -%}
        {%- set type = known.get((aggregate.argument or '') | lower, 'double') -%}
        {%- do aggregates.append(dict(aggregate, is_double=type in ['double', 'float'],
            argument=strandline._quoted(aggregate.argument | lower) if is_column
                and not strandline._is_identifier(aggregate.argument) else aggregate.argument,
            exact=strandline._running_sum_type(type))) -%}
    {%- endfor -%}
    {{- return({'columns': columns, 'ordered': ordered, 'aggregates': aggregates}) -}}
{% endmacro %}

{#- Appends a fault for each expression that Spark rejects: what compiles also runs. Spark only
    analyses them. -#}
{% macro _check_window_expressions(task, source, known, faults) %}
    {%- set rows, groups = [], [] -%}
    {%- if task.where -%}
        {%- do rows.append(['`where` is', task.where, 'boolean']) -%}
    {%- endif -%}
    {%- for condition, _ in task.weights or [] -%}
        {%- do rows.append(['`weight` has', condition, 'boolean']) -%}
    {%- endfor -%}
    {%- if task.not_after is not none -%}
        {%- do rows.append(['`not_after` is', task.not_after, 'timestamp']) -%}
    {%- endif -%}
    {%- if task.store.by_key -%}
        {%- do rows.append(['`store` has', task.store.by_key, 'number']) -%}
    {%- endif -%}
    {%- for aggregate in task.aggregates -%}
        {%- set place = '`aggregates` has ' ~ aggregate.name ~ ' =' -%}
        {%- if aggregate.function == 'own' -%}
            {%- do groups.append([place, aggregate.sql, none]) -%}
            {%- do groups.append([place, 'any_value(' ~ aggregate.empty ~ '\n)', none]) -%}
        {%- elif aggregate.argument != '*' -%}
            {%- do rows.append([place, strandline._window_argument(aggregate),
                strandline._aggregates()[aggregate.function].get('takes')]) -%}
            {%- do groups.append([place, strandline._aggregate_sql(dict(aggregate,
                is_double=true)), none]) -%}
        {%- endif -%}
        {%- if aggregate.baseline -%}
            {%- do rows.append([place, aggregate.baseline, 'number']) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set relation = task.upstream if not task.status else '(select '
        ~ strandline._all_quoted(known) | join(', ') ~ ' from ' ~ task.upstream ~ ') as __source'
        -%}
    {%- do strandline._check_row_expressions(rows, relation, source, known, faults) -%}
    {%- set grouped = relation ~ ' group by '
        ~ (strandline._all_quoted(task['keys']) or ['true']) | join(', ') -%}
    {%- set types = strandline._expression_types(groups | map(attribute=1) | unique(true) | list,
        grouped) if groups and not faults else {} -%}
    {%- for place, text, _ in groups if types and types[text].error -%}
        {%- do faults.append(place ~ " '" ~ strandline._shown_expression(text) ~ "'"
            ~ strandline._expression_fault(types[text].error, source, known)) -%}
    {%- endfor -%}
{% endmacro %}

{#- The materialization of a window. A run reads the new events, moves the clock, and writes in one
    commit: the open rows replace those of the table, and the rows that left are appended. The row
    of kind `clock` holds the watermark and the clock. -#}
{% materialization strandline_window, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code, uses_clock=true,
        rows_read=strandline._rows_read_by_window) -%}
    {%- if begun.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task = begun.task -%}
    {%- set state = none if begun.is_new else strandline._window_state(this) -%}
    {%- set run = strandline._window_run(this, task, begun.is_new) -%}
    {%- if run is none -%}
        {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- if not task.status -%}{%- do strandline._warn_of_jump(this, task, run) -%}{%- endif -%}
        {#- In a window whose events always enter, 0.1.0 gave `reason` no type. -#}
        {%- if run.reason_type == 'void' -%}
            {%- do run_query('alter table ' ~ this ~ ' alter column reason type string') -%}
        {%- endif -%}
        {%- set run = strandline._staged_run(this, task, run) -%}
        {%- set rows = strandline._window_rows(task, run) -%}
        {%- do strandline._write_window(begun, task, rows, run.depth, state,
            'entered.at,expelled.at,entry', 'entry') -%}
        {%- do strandline._drop_staged(this) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- Creates the table, or replaces its open rows, in one commit. `indexed` are the columns of which
    Delta keeps statistics, `spread` is one by which open rows can be distributed. Two runs that
    start from the same state, read before anything else, write with the same token, and Delta
    accepts only one. The setting makes Delta accept rows of other partitions beside the one that is
    replaced; without settings a `merge` does the same. -#}
{% macro _write_window(begun, task, rows, depth, state, indexed, spread) %}
    {%- if begun.is_new -%}
        {#- Behind aggregates the columns of an event are in a struct. -#}
        {%- do strandline._create_once(begun, strandline._create_table(this, task, rows,
            dict(strandline._column_mapping(task.get('columns', [])),
                **{'strandline.build': invocation_id, 'strandline.depth': depth,
                    'delta.dataSkippingStatsColumns': indexed}))) -%}
    {%- elif not strandline._takes_settings() -%}
        {%- do strandline._write_once(strandline._merge_window(this, rows, state, spread), state)
            -%}
        {%- call noop_statement('main', message='wrote rows') -%}{%- endcall -%}
    {%- else -%}
        {%- set setting = 'spark.databricks.delta.replaceWhere.constraintCheck.enabled' -%}
        {%- do run_query('set ' ~ setting ~ ' = false') -%}
        {%- set written = strandline._write_once('insert into ' ~ this
            ~ " replace where window_part = 'open' " ~ rows, state) -%}
        {%- do run_query('reset ' ~ setting) -%}
        {%- if not written -%}{%- do begun.update({'note': none}) -%}{%- endif -%}
        {%- call noop_statement('main', message='wrote rows' if written
            else 'left to the next run: another run has written') -%}{%- endcall -%}
    {%- endif -%}
{% endmacro %}

{#- The state of a window or a correlation that a run follows: each run writes its clock. -#}
{% macro _window_state(relation) %}
    {{- return(strandline._state_of(relation, "window_part = 'open' and row_kind = 'clock'")) -}}
{% endmacro %}

{#- One commit that deletes all open rows of a window and inserts the rows of a run, for a session
    without settings. A few rows of the source stand for the open rows: each open row matches one of
    them, and no new row matches. So a new row may be equal to another one, only the files of the
    open rows are read, and no comparison of old and new rows is needed. There is a row for each of
    32 hashes of `spread`, and the new rows have such a hash, too, so that the join of Delta has 32
    parts. -#}
{% macro _merge_window(relation, rows, state, spread) -%}
{%- set columns = strandline._all_quoted(strandline._query_columns('select * from ' ~ relation)
    | map(attribute='name') | list) -%}
{%- set source -%}
select __new.*, cast(null as string) as __replaced,
    pmod(xxhash64({{ spread }}), 32) as __hash
from (
{{ rows }}
) as __new({{ columns | join(', ') }})
union all
select {{ 'null, ' * columns | length }}'open', explode(sequence(0L, 31L))
{%- endset -%}
merge into {{ relation }} as __kept
using (
{{ strandline._checked_rows(relation, source, state) }}
) as __changed
on __kept.window_part = 'open' and __kept.window_part = __changed.__replaced
    and pmod(xxhash64(__kept.{{ spread }}), 32) = __changed.__hash
when matched then delete
when not matched and __changed.__replaced is null then insert ({{ columns | join(', ') }})
    values (__changed.{{ columns | join(', __changed.') }})
{%- endmacro %}

{#- A run with what several of its statements read staged in tables: `staged`, the events of a
    folded window and of one with `weight`; `folded`, the rows of a folded window; `stays`, behind
    aggregates. -#}
{% macro _staged_run(relation, task, run) %}
    {%- set is_folded = strandline._is_folded(task.store) -%}
    {%- if is_folded and not strandline._in_session() -%}
        {%- do strandline._refuse('window_table of ' ~ model.name, ["this `store` is computed "
            ~ "row after row in the driver's session, and the connection is not of type "
            ~ "strandline with method session or connect; take such a profile (docs/windows.md)"
            ]) -%}
    {%- endif -%}
    {%- if is_folded or strandline._is_weighed(task) -%}
        {%- set run = dict(run, staged=strandline._staged(relation, 'events', 'with '
            ~ strandline._window_events(task, run) ~ ' select * from __events')) -%}
    {%- endif -%}
    {%- if is_folded -%}
        {%- set folded = strandline._staging(relation, 'folded').identifier -%}
        {%- do adapter.fold_query(strandline._fold_input(task, run), folded, tojson({
            'kind': 'last' if task.store.kind == 'sliding' else task.store.kind,
            'keys': task['keys'], 'clock': run.now, 'every': task.every,
            'depth': run.depth, 'grouped': task.update_group | length > 0})) -%}
        {%- set run = dict(run, folded='`' ~ folded ~ '`') -%}
    {%- endif -%}
    {%- if task.aggregates -%}
        {%- set run = dict(run, stays=strandline._staged(relation, 'stays', 'with '
            ~ strandline._window_events(task, run) ~ ',\n\n' ~ strandline._stays(task, run)
            ~ ' select * from __stays')) -%}
    {%- endif -%}
    {{- return(run) -}}
{% endmacro %}

{#- A run of a window: what the table has read before (`_stored_progress`), what is new
    (`_arrival_bounds`, `_chained_bounds`), and `now`, the clock after it. None if there is nothing
    new. -#}
{% macro _window_run(relation, task, is_new) %}
    {%- set before = strandline._stored_progress(relation, is_new) -%}
    {%- set new = strandline._chained_bounds(task, before) if task.status
        else strandline._arrival_bounds(task, before) -%}
    {%- set clocks = [before.clock, new.newest, none if task.status else strandline._as_of()]
        | reject('none') | list -%}
    {%- set now = clocks | max if clocks else -9000000000000000000 -%}
    {%- if not is_new and not new.new_events and now == before.clock
        and new.arrival | string == before.arrival | string -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(dict(before, staged=none, folded=none, now=now, **new)) -}}
{% endmacro %}

{#- What the table has read: its clock, the events read and accepted, the watermark (an arrival
    number, or the JSON of a cycle of the source window), and the arrival number behind it; and the
    type of its column `reason`. -#}
{% macro _stored_progress(relation, is_new) %}
    {%- set row = [none, 0, 0, none, none, none, none] if is_new
        else run_query("select window_progress.*, typeof(reason) from " ~ relation
            ~ " where window_part = 'open' and row_kind = 'clock'").rows[0] -%}
    {{- return({'is_stored': not is_new, 'stored': relation | string,
        'clock': none if row[0] is none else row[0] | int, 'events': row[1] | int,
        'accepted': row[2] | int, 'watermark': row[3], 'arrival': row[4], 'builds': row[5],
        'reason_type': row[6]}) -}}
{% endmacro %}

{#- Which rows of its source a window has read, as a condition; none if it has read nothing. -#}
{% macro _rows_read_by_window(relation, task, _) %}
    {%- set watermark = strandline._stored_progress(relation, false).watermark -%}
    {%- if watermark is none -%}{{- return(none) -}}{%- endif -%}
    {%- if not task.status -%}
        {{- return(strandline._quoted(task.arrival) ~ ' <= ' ~ watermark) -}}
    {%- endif -%}
    {{- return("row_kind = 'row' and " ~ ('entered' if task.status == 'new' else 'expelled')
        ~ ' <= ' ~ strandline._cycle_literal(watermark)) -}}
{% endmacro %}

{#- The new events of a source: the range of their arrival numbers, the newest and the oldest time
    among them, and the watermark after the run. -#}
{% macro _arrival_bounds(task, before) %}
    {%- set arrival = strandline._quoted(task.arrival) -%}
    {%- set clock = strandline._window_clock(task) -%}
    {%- set unread = task.upstream ~ ('' if before.watermark is none else ' where ' ~ arrival
        ~ ' > ' ~ before.watermark ~ ' or ' ~ arrival ~ ' is null') -%}
    {%- set row = run_query('select count(*), min(' ~ arrival ~ '), max(' ~ arrival ~ '), max('
        ~ clock ~ '), count_if(' ~ arrival ~ ' is null), min(' ~ clock ~ ') from '
        ~ unread).rows[0] -%}
    {%- if row[4] -%}
        {%- do strandline._refuse(model.name, [row[4] | int ~ ' of ' ~ row[0] | int
            ~ " new events have no `" ~ task.arrival
            ~ "`; nothing was written; number them, and run again"]) -%}
    {%- endif -%}
    {%- set first, last = 0 if row[1] is none else row[1] | int,
        -1 if row[2] is none else row[2] | int -%}
    {%- set watermark = last if row[0] | int else before.watermark -%}
    {{- return({'unread': unread, 'new_events': row[0] | int, 'first': first, 'last': last,
        'width': (last - first) // 256 + 1, 'depth': 1,
        'newest': none if row[3] is none else row[3] | int,
        'oldest': none if row[5] is none else row[5] | int,
        'watermark': watermark, 'arrival': watermark}) -}}
{% endmacro %}

{#- The same of a source window: the range of its new cycles, and its clock. -#}
{% macro _chained_bounds(task, before) %}
    {%- set upstream = strandline._window_progress_of([task.upstream])[0] -%}
    {%- do strandline._check_builds([task.upstream_name], before.builds, upstream.build) -%}
    {%- set cycle = 'entered' if task.status == 'new' else 'expelled' -%}
    {%- set watermark = strandline._cycle_literal(before.watermark) if before.watermark
        else none -%}
    {%- set row = run_query("select count(" ~ cycle ~ "), to_json(max(" ~ cycle
        ~ "), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timeZone', 'UTC')), "
        ~ "unix_micros(min(" ~ cycle ~ ".at)), unix_micros(max(" ~ cycle ~ ".at)) from "
        ~ task.upstream ~ " where row_kind = 'row' and "
        ~ strandline._is_unread(cycle, watermark)).rows[0] -%}
    {{- return({'new_events': row[0] | int, 'first': watermark,
        'depth': upstream.depth + 1, 'builds': upstream.build, 'arrival': upstream.arrival,
        'last': strandline._cycle_literal(row[1]) if row[1] else 'null',
        'earliest': (row[2] | int if row[2] is not none else 0) ~ 'L',
        'width': (((row[3] | int) - (row[2] | int)) // 256 + 1 if row[2] is not none
            else 1) ~ 'L',
        'newest': upstream.clock, 'watermark': row[1] or before.watermark}) -}}
{% endmacro %}

{#- Warns if the clock jumps by more than the whole past of the table, and by more than a day: one
    event of a wrong time makes all honest ones late. The past begins with the first clock, in the
    table or in its first run. -#}
{% macro _warn_of_jump(relation, task, run) %}
    {%- set day = 86400000000 -%}
    {%- set previous = run.clock if run.clock is not none else run.oldest -%}
    {%- if run.newest is none or run.newest - previous <= day -%}{{- return(none) -}}{%- endif -%}
    {%- set first = run_query('select unix_micros(min(entered.at)) from ' ~ relation
        ~ " where row_kind = 'row'").rows[0][0] if run.is_stored else none -%}
    {%- set first = run.oldest if first is none else first | int -%}
    {%- set middle = first + (run.newest - first) // 2 -%}
    {%- if previous > middle -%}{{- return(none) -}}{%- endif -%}
    {%- set clock = strandline._window_clock(task) -%}
    {%- set row = run_query('select max(if(' ~ clock ~ ' <= ' ~ middle ~ ', ' ~ clock
        ~ ', null)), min(if(' ~ clock ~ ' > ' ~ middle ~ ', ' ~ clock ~ ', null)) from '
        ~ run.unread).rows[0] -%}
    {%- set before = [previous, previous if row[0] is none else row[0] | int] | max -%}
    {%- set after = row[1] | int -%}
    {%- if before > first and after - before > [day, before - first] | max -%}
        {%- set instants = [] -%}
        {%- for micros in [before, after, first] -%}
            {%- do instants.append(run_query('select date_format(timestamp_micros(' ~ micros
                ~ "), 'yyyy-MM-dd HH:mm:ss')").rows[0][0]) -%}
        {%- endfor -%}
        {%- do exceptions.warn(model.name ~ ": the clock jumps from " ~ instants[0] ~ " to "
            ~ instants[1] ~ ", which is more than the whole past of this window, since "
            ~ instants[2] ~ ". Events of earlier times are late from now on. If the time is wrong, "
            ~ "give `not_after`, and see The clock in docs/windows.md for the way back") -%}
    {%- endif -%}
{% endmacro %}

{#- The parameters of a full refresh, as expressions over the source: for the body of the model. It
    is rendered in each run, so it queries nothing but the depth of a chain, where that is read. -#}
{% macro _whole_run(task) %}
    {%- set run = {'is_stored': false, 'stored': none, 'clock': none, 'events': 0, 'accepted': 0,
        'staged': none, 'folded': none, 'stays': '__stays'} -%}
    {%- set from = ' from ' ~ task.upstream -%}
    {%- if not task.status -%}
        {%- set arrival, as_of = strandline._quoted(task.arrival), strandline._as_of() -%}
        {%- set first = '(select min(' ~ arrival ~ ')' ~ from ~ ')' -%}
        {%- set last = '(select max(' ~ arrival ~ ')' ~ from ~ ')' -%}
        {%- set clock = '(select max(' ~ strandline._window_clock(task) ~ ')' ~ from ~ ')' -%}
        {{- return(dict(run, first=first, last=last, depth=1,
            width='((' ~ last ~ ' - ' ~ first ~ ') div 256 + 1)',
            now=clock if as_of is none else 'greatest(' ~ clock ~ ', ' ~ as_of ~ 'L)')) -}}
    {%- endif -%}
    {%- set at = 'unix_micros(' ~ ('entered' if task.status == 'new' else 'expelled') ~ '.at)' -%}
    {%- set rows = from ~ " where row_kind = 'row'" -%}
    {%- set earliest = '(select min(' ~ at ~ ')' ~ rows ~ ')' -%}
    {{- return(dict(run, first=none, earliest=earliest,
        last='(select max(' ~ ('entered' if task.status == 'new' else 'expelled') ~ ')' ~ rows
            ~ ')',
        width='(((select max(' ~ at ~ ')' ~ rows ~ ') - ' ~ earliest ~ ') div 256 + 1)',
        depth=1 if not strandline._counted_aggregates(task) else strandline._properties_of(
            task.upstream).get('strandline.depth', 0) | int + 1,
        now='(select window_progress.clock' ~ from
            ~ " where window_part = 'open' and row_kind = 'clock')")) -}}
{% endmacro %}

{#- Whether a cycle is after the last one that was read; files are skipped by its time, if it has
    one: the cycles before the clock has a time come first, and theirs is null. -#}
{% macro _is_unread(cycle, watermark) %}
    {{- return(cycle ~ ' is not null' if watermark is none else cycle ~ ' > ' ~ watermark
        ~ (' and ' ~ cycle ~ '.at >= ' ~ watermark ~ '.at' if '"at"' in watermark else '')) -}}
{% endmacro %}

{#- A cycle from its JSON, in which times are in UTC. -#}
{% macro _cycle_literal(json) %}
    {{- return("from_json('" ~ json
        ~ "', '" ~ strandline._cycle_type() ~ "', "
        ~ "map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX'))") -}}
{% endmacro %}

{#- The watermark of each of some windows: its clock, the last arrival number behind it, the length
    of its steps, the build of the table, and the kind of its task (window, correlation). -#}
{% macro _window_progress_of(windows) %}
    {%- set found = [] -%}
    {%- for window in windows -%}
        {%- set properties = strandline._properties_of(window) -%}
        {%- set row = run_query("select window_progress.clock, window_progress.arrival from "
            ~ window ~ " where window_part = 'open' and row_kind = 'clock'").rows[0] -%}
        {%- do found.append({'clock': none if row[0] is none else row[0] | int,
            'arrival': -1 if row[1] is none else row[1] | int,
            'depth': properties['strandline.depth'] | int,
            'build': properties['strandline.build'],
            'kind': fromjson(properties['strandline.task']).kind}) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}

{#- Fails if a window was rebuilt since this table read it: its cycles may be others now. Builds are
    a list in text, in the order of the names. -#}
{% macro _check_builds(names, stored, now) %}
    {%- set faults = [] -%}
    {%- for build in now.split(',') -%}
        {%- if stored is not none and build != stored.split(',')[loop.index0] -%}
            {%- do faults.append(names[loop.index0] ~ " was rebuilt after this table had read it; "
                ~ "rebuild this table and its downstream tables: `dbt build --full-refresh "
                ~ "--select " ~ model.name ~ "+`") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do strandline._refuse(model.name, faults) -%}
{% endmacro %}

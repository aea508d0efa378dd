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
    aggregates, and where an expression may read any. -#}
{% macro _carried(task, known) %}
    {%- set named = strandline._aggregated_columns(task, known) -%}
    {%- set needed = task['keys'] + task.update_group
        + ([task.store.using] if task.store.using else []) + named
        + ([] if task.status else [task.ts, task.arrival]) -%}
    {%- set reads_any = task.aggregates | map(attribute='argument') | reject('equalto', '*') | list
        | length > named | length -%}
    {%- set columns = needed | unique | list if task.aggregates and needed and not reads_any
        else known | list -%}
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
                none if aggregate.function in ['count', 'min', 'max'] else 'number']) -%}
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

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

{#- Fails if a named column does not exist in the source or its type does not fit, and adds to the
    task the `columns` of the source that the window carries. A source that does not exist yet is
    not checked. -#}
{% macro _check_window(task, source, who) %}
    {%- set types = strandline._types_of(source) -%}
    {%- set faults = [] -%}
    {%- set is_window = 'window_part' in types -%}
    {%- if types and is_window and not task.status -%}
        {%- do faults.append("`source` " ~ source.identifier ~ " is a window, and `where` does not "
            ~ "begin with a row status; write '$row_status is new' or '$row_status is dead', as in "
            ~ "'$row_status is new and num_skus >= 10'") -%}
    {%- elif types and task.status and not is_window -%}
        {%- do faults.append("`where` begins with a row status, and `source` " ~ source.identifier
            ~ " is not a window; leave the status out, or take a window_table as the source") -%}
    {%- endif -%}
    {%- do strandline._check_dead_firings(task, source, is_window, faults) -%}
    {%- set own = types.keys() | reject('in', strandline._window_columns()) | list if is_window
        else types.keys() | list -%}
    {%- set known = {} -%}
    {%- for column in own -%}{%- do known.update({column: types[column]}) -%}{%- endfor -%}
    {#- A name that is no plain one is quoted from here on; `sum(größe)` may be written without. -#}
    {%- for aggregate in task.aggregates if aggregate.argument is string
        and aggregate.argument | lower in known
        and not strandline._is_identifier(aggregate.argument) -%}
        {%- do aggregate.update({'argument':
            strandline._quoted(aggregate.argument | lower)}) -%}
    {%- endfor -%}
    {%- do strandline._check_window_columns(task, source, known, faults) -%}
    {%- for column in known if not is_window and (column in strandline._window_columns()
        or column.startswith('__')) -%}
        {%- do faults.append("`source` " ~ source.identifier ~ " has the column '" ~ column
            ~ "', which is the name of a column of every window or begins with __; rename it "
            ~ "in a staging model") -%}
    {%- endfor -%}
    {%- do strandline._refuse(who, faults if types else []) -%}
    {%- if types and (load_cached_relation(this) is none or should_full_refresh()) -%}
        {%- do strandline._check_window_expressions(task, source, known, who) -%}
    {%- endif -%}
    {%- do task.update({'columns': strandline._carried_columns(task, known)}) -%}
    {%- set ordered = [] -%}
    {%- for column in task.columns if 'map<' not in known.get(column, '') -%}
        {%- do ordered.append(column) -%}
    {%- endfor -%}
    {%- do task.update({'ordered': ordered}) -%}
    {%- for aggregate in task.aggregates -%}
        {%- set type = known.get((aggregate.argument or '') | lower, 'double') -%}
        {%- do aggregate.update({'is_double': type in ['double', 'float'],
            'exact': strandline._running_sum_type(type)}) -%}
    {%- endfor -%}
{% endmacro %}

{#- Appends a fault for each named column that the source does not have, or whose type does not
    fit. -#}
{% macro _check_window_columns(task, source, types, faults) %}
    {%- set named = [] -%}
    {%- for key in task['keys'] -%}{%- do named.append(['keys', key]) -%}{%- endfor -%}
    {%- for column in task.update_group -%}
        {%- do named.append(['update_group', column]) -%}
    {%- endfor -%}
    {%- if task.store.using -%}{%- do named.append(['store', task.store.using]) -%}{%- endif -%}
    {%- for argument in ['ts', 'clock', 'arrival'] if not task.status and task[argument]
        and not (argument == 'clock' and task.clock == task.ts) -%}
        {%- do named.append([argument, task[argument]]) -%}
    {%- endfor -%}
    {%- for aggregate in task.aggregates if strandline._is_identifier(aggregate.argument) -%}
        {%- do named.append(['aggregates', aggregate.argument | lower]) -%}
    {%- endfor -%}
    {%- for argument, column in named -%}
        {%- set type = types.get(column) -%}
        {%- if type is none -%}
            {%- do faults.append(strandline._no_column(argument, column, source, types)
                ~ ('' if strandline._is_identifier(column)
                    else '; compute expressions in a staging model')) -%}
        {%- elif argument in ['ts', 'clock'] and type != 'timestamp' -%}
            {%- do faults.append("`" ~ argument ~ "` names " ~ column ~ " of " ~ source.identifier
                ~ ", which is " ~ type ~ "; take a TIMESTAMP (cast it in a staging model)") -%}
        {%- elif argument == 'arrival' and type not in ['bigint', 'int', 'smallint', 'tinyint'] -%}
            {%- do faults.append("`arrival` names " ~ column ~ " of " ~ source.identifier
                ~ ", which is " ~ type ~ "; take a whole number that only grows") -%}
        {%- elif argument in ['keys', 'update_group', 'store'] and 'map<' in type -%}
            {%- do faults.append("`" ~ argument ~ "` names " ~ column ~ " of " ~ source.identifier
                ~ ", which is " ~ type ~ "; Spark does not compare maps") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set named = modules.re.findall('[a-z_][a-z0-9_]*', modules.re.sub("'[^']*'", '',
        (task.store.by_key or '') | lower)) -%}
    {%- for column in named | unique if column in types and column not in task['keys'] -%}
        {%- do faults.append("`store` has the column '" ~ column ~ "', which is not one of `keys`; "
            ~ "the size of a window can depend on its keys only") -%}
    {%- endfor -%}
{% endmacro %}

{#- The columns of the source that a window carries: all of them, or for aggregates only those that
    they read. An expression may read any. -#}
{% macro _carried_columns(task, types) %}
    {%- set reads = namespace(all=not task.aggregates) -%}
    {%- set needed = task['keys'] + task.update_group -%}
    {%- if task.store.using -%}{%- do needed.append(task.store.using) -%}{%- endif -%}
    {%- for aggregate in task.aggregates -%}
        {%- if strandline._is_identifier(aggregate.argument) -%}
            {%- do needed.append(aggregate.argument | lower) -%}
        {%- elif aggregate.argument != '*' -%}
            {%- set reads.all = true -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not task.status -%}{%- do needed.extend([task.ts, task.arrival]) -%}{%- endif -%}
    {{- return(types.keys() | list if reads.all or not needed
        else needed | unique | list) -}}
{% endmacro %}

{#- Fails if Spark rejects an expression: what compiles also runs. Spark only analyses them. In a
    condition it accepts neither an aggregate nor a window function, so each expression over one row
    is analysed in one. -#}
{% macro _check_window_expressions(task, source, known, who) %}
    {%- set faults, rows, groups = [], [], [] -%}
    {%- if task.where -%}
        {%- do rows.append(['`where` is', task.where, 'boolean']) -%}
    {%- endif -%}
    {%- for condition, _ in task.get('weights') or [] -%}
        {%- do rows.append(['`weight` has', condition, 'boolean']) -%}
    {%- endfor -%}
    {%- if task.get('not_after') is not none -%}
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
    {%- do strandline._expression_faults(task, rows, false, source, known, faults) -%}
    {%- do strandline._expression_faults(task, groups if not faults else [], true, source, known,
        faults) -%}
    {%- do strandline._refuse(who, faults | unique | list) -%}
{% endmacro %}

{#- Appends a fault for each expression that Spark rejects, or whose type does not fit: over one
    row, or over the rows of a window (`grouped`). All of them are analysed in one query; if it
    fails, one after the other. -#}
{% macro _expression_faults(task, expressions, grouped, source, known, faults) %}
    {%- if not expressions -%}{{- return(none) -}}{%- endif -%}
    {%- set relation = task.upstream if not task.status else '(select '
        ~ strandline._all_quoted(known) | join(', ') ~ ' from ' ~ task.upstream ~ ') as __source'
        -%}
    {%- set texts = expressions | map(attribute=1) | unique | list -%}
    {%- set conditions = [] -%}
    {%- for text in texts -%}
        {%- do conditions.append('((' ~ text ~ '\n) is not null)') -%}
    {%- endfor -%}
    {%- set types = strandline._expression_types(texts, relation ~ (
        ' group by ' ~ (strandline._all_quoted(task['keys']) or ['true']) | join(', ')
        if grouped else ' where ' ~ conditions | join(' and '))) -%}
    {%- for place, text, wanted in expressions -%}
        {%- set found = types[text] -%}
        {%- set one = found if grouped or not found.error else strandline._expression_types(
            [text], relation ~ ' where (' ~ text ~ '\n) is not null')[text] -%}
        {%- set fault = strandline._expression_fault(one.error, source, known) if one.error
            else strandline._type_fault(one.type, wanted) -%}
        {%- if fault -%}
            {%- set shown = text.strip('`') if strandline._is_identifier(text.strip('`')) else text
                -%}
            {%- do faults.append(place ~ " '" ~ shown ~ "'" ~ fault) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- The end of the message for an expression of a wrong type; empty if it fits. -#}
{% macro _type_fault(type, wanted) %}
    {%- if wanted is none or type == 'void' or type == wanted
        or (wanted == 'number' and strandline._is_number(type)) -%}
        {{- return('') -}}
    {%- endif -%}
    {{- return(', which is ' ~ type | upper ~ '; ' ~ {'boolean': 'write a condition',
        'timestamp': 'make it a TIMESTAMP', 'number': 'it needs a number'}[wanted]) -}}
{% endmacro %}

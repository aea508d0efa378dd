{#- The columns that a window adds to its rows. -#}
{% macro _window_columns() %}
    {{- return(['entered', 'expelled', 'entry', 'exit', 'reason', 'row_kind', 'window_state',
        'window_progress', 'window_part', 'window_event', 'window_values', 'window_totals']) -}}
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
    {%- set own = types.keys() | reject('in', strandline._window_columns()) | list if is_window
        else types.keys() | list -%}
    {%- set known = {} -%}
    {%- for column in own -%}{%- do known.update({column: types[column]}) -%}{%- endfor -%}
    {%- do strandline._check_window_columns(task, source, known, faults) -%}
    {%- for column in known if not is_window and (column in strandline._window_columns()
        or column.startswith('window_')) -%}
        {%- do faults.append("`source` " ~ source.identifier ~ " has the column '" ~ column
            ~ "', which is the name of a column of every window or begins with window_; rename it "
            ~ "in a staging model") -%}
    {%- endfor -%}
    {%- do strandline._refuse(who, faults if types else []) -%}
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
    {%- for argument in ['ts', 'clock', 'arrival'] if not task.status and task[argument] -%}
        {%- do named.append([argument, task[argument]]) -%}
    {%- endfor -%}
    {%- for aggregate in task.aggregates if strandline._is_identifier(aggregate.argument) -%}
        {%- do named.append(['aggregates', aggregate.argument | lower]) -%}
    {%- endfor -%}
    {%- for argument, column in named -%}
        {%- set type = types.get(column) -%}
        {%- if type is none -%}
            {%- do faults.append(strandline._no_column(argument, column, source, types)) -%}
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

{#- Fails if the value is not a definition of an aggregation, for example an undefined name or a
    macro that is not called. -#}
{% macro _check_definition(definition, who) %}
    {%- set write = "; pass what the macro of your aggregation returns, such as "
        ~ "trade_aggregation()" -%}
    {%- if definition is not defined -%}
        {%- do strandline._refuse(who, [strandline._undefined('definition', definition)
            ~ write]) -%}
    {%- elif definition is not mapping and definition is callable -%}
        {%- do strandline._refuse(who, ["`definition` is a macro that is not called; add the "
            ~ "parentheses, such as trade_aggregation()"]) -%}
    {%- elif definition is not mapping or 'parts' not in definition
        or 'durations' not in definition -%}
        {%- do strandline._refuse(who, ["`definition` is " ~ ("'" ~ definition ~ "'"
            if definition is string or definition is none
            or definition is number else 'not a definition of an aggregation') ~ write]) -%}
    {%- endif -%}
{% endmacro %}

{#- The columns of an aggregation's source with their types. Fails if the definition names a column
    that does not exist, or one whose type does not fit. Arguments that are expressions are checked
    when the table is built (`_check_select`). If the source does not exist yet, nothing is
    checked. -#}
{% macro _check_columns(definition) %}
    {%- set source = definition.source -%}
    {%- set types = strandline._types_of(source) -%}
    {%- if not types -%}{{- return(types) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set named = [['ts', definition.ts, 'any'], ['arrival', definition.arrival, 'ordered'],
        ['event_id', definition.event_id, 'identity']] -%}
    {%- for column in definition['keys'] -%}
        {%- do named.append(['keys', column, 'any']) -%}
    {%- endfor -%}
    {%- for part in definition.parts if strandline._is_identifier(part.argument) -%}
        {%- do named.append(['select', part.argument, 'any']) -%}
    {%- endfor -%}
    {%- for argument, column, type in named if column is not none -%}
        {%- do strandline._check_column(argument, column, source, types, {'type': type}, faults) -%}
    {%- endfor -%}

    {%- set own = [] -%}
    {%- for column in types if column.startswith('__') or column in ['agg_event_time',
        'agg_event_zone', 'agg_event_arrival', 'agg_event_bucket', 'agg_event_is_new', 'agg_copy',
        'agg_newest',
        'late_reason'] -%}
        {%- do own.append(column) -%}
    {%- endfor -%}
    {%- if own -%}
        {%- do faults.append(source.identifier ~ " has the columns " ~ strandline._choices(own)
            ~ ", whose names are reserved; rename them in a staging model") -%}
    {%- endif -%}
    {%- set arrival_type = types.get(definition.arrival | lower) -%}
    {%- do faults.extend(strandline._lookback_faults(definition.arrival_lookback,
        definition.arrival, arrival_type)) -%}
    {%- if definition.buffer and arrival_type
        not in [none, 'tinyint', 'smallint', 'int', 'bigint', 'timestamp'] -%}
        {%- do faults.append("`buffer_size` needs the order of `arrival`, and " ~ definition.arrival
            ~ " is "
            ~ arrival_type ~ "; make it a whole number or a TIMESTAMP") -%}
    {%- endif -%}
    {%- do strandline._check_numbers(definition, types, faults) -%}
    {%- if not faults -%}{%- do strandline._time_kind(definition, types, faults) -%}{%- endif -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults | unique | list) -%}
    {{- return(types) -}}
{% endmacro %}

{#- Appends a fault for each output whose aggregate needs a number and whose argument has another
    type. Spark would cast a text and turn it into null if it is not a number. `types` has the types
    of arguments that are known. -#}
{% macro _check_numbers(definition, types, faults) %}
    {%- for output in definition.outputs if output.takes == 'number' -%}
        {%- set type = types.get(output.argument, types.get(output.argument | lower, 'void')) -%}
        {%- set is_length = type.startswith('interval') and output.function in ['avg', 'sum'] -%}
        {%- if not strandline._is_number(type) and not is_length -%}
            {%- set instead = 'int(' ~ output.argument ~ ') in its place, which is 1 or 0'
                if type == 'boolean'
                else 'cast(' ~ output.argument ~ ' as double) in its place, or another number' -%}
            {%- do faults.append("`select` has " ~ output.name ~ " = '" ~ output.text ~ "', and "
                ~ output.argument ~ " is " ~ type | upper ~ "; " ~ output.function
                ~ " takes a number: write " ~ instead) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- Fails if Spark rejects an expression of `select`, or if its type does not fit. The expressions
    are checked before the table is built, one by one, so that the message names the expression.
    Spark only analyses them. -#}
{% macro _check_select(definition, task) %}
    {%- set columns = strandline._types_of(definition.source) -%}
    {%- set outputs = [] -%}
    {%- for output in definition.outputs if output.argument != '*'
        and not strandline._is_identifier(output.argument) -%}
        {%- do outputs.append(output) -%}
    {%- endfor -%}
    {%- if not columns or not outputs -%}{{- return(none) -}}{%- endif -%}
    {%- set source, faults = '(' ~ strandline._timed_events(task) ~ ')', [] -%}
    {%- set arguments = outputs | map(attribute='argument') | unique | list -%}
    {%- set types = strandline._expression_types(arguments, source) -%}
    {%- for output in outputs if types[output.argument].error -%}
        {%- do faults.append("`select` has " ~ output.name ~ " = '" ~ output.text ~ "'"
            ~ strandline._expression_fault(types[output.argument].error, definition.source,
                columns)) -%}
    {%- endfor -%}
    {%- set known = {} -%}
    {%- for argument, found in types.items() if found.type -%}
        {%- do known.update({argument: found.type}) -%}
    {%- endfor -%}
    {%- do strandline._check_numbers(definition, known, faults) -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults) -%}
{% endmacro %}

{#- Fails if Spark rejects the expression of `not_after`, or if it is no TIMESTAMP. -#}
{% macro _check_not_after(definition, task) %}
    {%- set columns, faults = strandline._types_of(definition.source), [] -%}
    {%- if definition.not_after is not none and columns -%}
        {%- do strandline._check_row_expressions([['`not_after` is', definition.not_after,
            'timestamp']], '(select * from ' ~ task.upstream ~ ') as upstream', definition.source,
            columns, faults) -%}
    {%- endif -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults) -%}
{% endmacro %}

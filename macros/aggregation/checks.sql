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
    when the table is built (`_check_expressions`). If the source does not exist yet, nothing is
    checked. -#}
{% macro _check_columns(definition) %}
    {%- set source = definition.source -%}
    {%- set types = strandline._types_of(source) -%}
    {%- if not types -%}{{- return(types) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set named = [['ts', definition.ts], ['arrival', definition.arrival],
        ['event_id', definition.event_id]] -%}
    {%- for column in definition['keys'] -%}{%- do named.append(['keys', column]) -%}{%- endfor -%}
    {%- for part in definition.parts if strandline._is_identifier(part.argument) -%}
        {%- do named.append(['select', part.argument]) -%}
    {%- endfor -%}
    {%- for place, column in named if column is not none and column | lower not in types -%}
        {%- do faults.append(strandline._no_column(place, column, source, types)) -%}
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
    {%- for place, column in [['arrival', definition.arrival], ['event_id', definition.event_id]]
        if column is not none -%}
        {%- do faults.extend(strandline._order_faults(place, column, types.get(column | lower))) -%}
    {%- endfor -%}
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

{#- The faults of the type of a column that identifies or orders events; none if the type is
    unknown. Runs store its values as literals. NaN is above every number, so nothing would arrive
    after it. A BOOLEAN cannot keep growing. -#}
{% macro _order_faults(place, column, type) %}
    {%- set comparable = 'tinyint|smallint|int|bigint|decimal|date|timestamp|string|varchar|char'
        ~ '|binary' ~ ('|float|double|boolean' if place == 'event_id' else '') -%}
    {%- if type is none or modules.re.match('(' ~ comparable ~ ')(?![a-z])', type) -%}
        {{- return([]) -}}
    {%- endif -%}
    {{- return(["`" ~ place ~ "` names " ~ column ~ ", which is " ~ type
        ~ "; take a whole number, a DECIMAL, a STRING, a BINARY, a DATE or a TIMESTAMP"
        ~ (", or cast it to one in a staging model" if place == 'arrival'
            else "; in a staging model, to_json(" ~ column ~ ") makes a STRING of it")]) -}}
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
{% macro _check_expressions(definition, task) %}
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
    {%- set columns = strandline._types_of(definition.source) -%}
    {%- if definition.not_after is none or not columns -%}{{- return(none) -}}{%- endif -%}
    {%- set found = strandline._expression_types([definition.not_after],
        '(select * from ' ~ task.upstream ~ ') as upstream')[definition.not_after] -%}
    {%- set fault = strandline._expression_fault(found.error, definition.source, columns)
        if found.error else ', which is ' ~ found.type | upper ~ '; make it a TIMESTAMP'
        if found.type != 'timestamp' else none -%}
    {%- if fault -%}
        {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'",
            ["`not_after` is '" ~ definition.not_after ~ "'" ~ fault]) -%}
    {%- endif -%}
{% endmacro %}

{#- Spark's type or error for each expression over a source: {expression: {type, error}}. With an
    adapter that cannot return the error, the run fails with Spark's message. -#}
{% macro _expression_types(expressions, source) %}
    {%- set found = strandline._described(expressions, source) -%}
    {%- set types = {} -%}
    {%- for expression in expressions -%}
        {%- set alone = strandline._described([expression], source) if found.error else found -%}
        {%- set place = 0 if found.error else loop.index0 -%}
        {%- do types.update({expression: {'type': none, 'error': alone.error} if alone.error
            else {'type': alone.types[place] | lower, 'error': none}}) -%}
    {%- endfor -%}
    {{- return(types) -}}
{% endmacro %}

{% macro _described(expressions, source) %}
    {%- set items = [] -%}
    {%- for expression in expressions -%}
        {%- do items.append('(' ~ expression ~ '\n) as strandline_' ~ loop.index) -%}
    {%- endfor -%}
    {%- set query = 'describe query select ' ~ items | join(', ') ~ ' from ' ~ source -%}
    {%- if adapter.type() == 'strandline' -%}
        {{- return(adapter.describe_query(query)) -}}
    {%- endif -%}
    {{- return({'types': run_query(query).columns[1].values() | list, 'error': none}) -}}
{% endmacro %}

{#- The end of the message for an expression that Spark rejected: the missing column, or Spark's
    message. -#}
{% macro _expression_fault(error, source, columns) %}
    {%- set unknown = modules.re.search('with name `([^`]+)` cannot be resolved', error) -%}
    {%- if unknown -%}
        {{- return(", and " ~ source.identifier ~ " has no column '" ~ unknown.group(1)
            ~ "'; it has " ~ strandline._choices(columns)
            ~ strandline._nearest(unknown.group(1), columns)) -}}
    {%- endif -%}
    {%- set reason = modules.re.sub('(?s)\\s*SQLSTATE: \\w{5}.*', '', error) | trim -%}
    {{- return(", which Spark rejects: " ~ reason) -}}
{% endmacro %}

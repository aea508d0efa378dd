{#- Refuses what is no definition of an aggregation: a name that is not defined, a macro that is not
    called. -#}
{% macro _check_definition(definition, who) %}
    {%- set write = "; hand in what the macro of your aggregation returns, such as "
        ~ "trade_aggregation()" -%}
    {%- if definition is not defined -%}
        {%- do strandline._refuse(who, ["`definition` is missing or undefined" ~ write]) -%}
    {%- elif definition is not mapping and definition is callable -%}
        {%- do strandline._refuse(who, ["`definition` is a macro that is not called; write its "
            ~ "parentheses, such as trade_aggregation()"]) -%}
    {%- elif definition is not mapping or 'parts' not in definition
        or 'durations' not in definition -%}
        {%- do strandline._refuse(who, ["`definition` is " ~ ("'" ~ definition ~ "'"
            if definition is string or definition is none
            or definition is number else 'no definition of an aggregation') ~ write]) -%}
    {%- endif -%}
{% endmacro %}

{#- The columns of an aggregation's source and their types; refuses a definition that names others,
    or columns of types that cannot do their part. Arguments that are expressions are checked when
    the table is built (`_check_expressions`). A source that does not exist (yet) has no columns to
    compare with. -#}
{% macro _check_columns(definition) %}
    {%- set source = definition.source -%}
    {%- set types = strandline._types_of(source) -%}
    {%- if not types -%}{{- return(types) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set named = [['ts', definition.ts], ['arrival', definition.arrival], ['event_id', definition.event_id]] -%}
    {%- for column in definition['keys'] -%}{%- do named.append(['keys', column]) -%}{%- endfor -%}
    {%- for part in definition.parts if strandline._is_identifier(part.argument) -%}
        {%- do named.append(['select', part.argument]) -%}
    {%- endfor -%}
    {%- for place, column in named if column is not none and column | lower not in types -%}
        {%- do faults.append(strandline._no_column(place, column, source, types)) -%}
    {%- endfor -%}

    {%- set own = types | select('in', ['agg_event_time', 'agg_event_zone', 'agg_event_arrival', 'agg_event_bucket', 'late_reason']) | list -%}
    {%- if own -%}
        {%- do faults.append(source.identifier ~ " has the columns " ~ strandline._choices(own)
            ~ ", whose names Strandline keeps for itself; rename them in a staging model") -%}
    {%- endif -%}
    {%- set arrival_type = types.get(definition.arrival | lower) -%}
    {%- for place, column in [['arrival', definition.arrival], ['event_id', definition.event_id]] if column is not none -%}
        {%- do faults.extend(strandline._order_faults(place, column, types.get(column | lower))) -%}
    {%- endfor -%}
    {%- if definition.buffer and arrival_type not in [none, 'tinyint', 'smallint', 'int', 'bigint', 'timestamp'] -%}
        {%- do faults.append("`buffer_size` goes by the order of `arrival`, and " ~ definition.arrival ~ " is "
            ~ arrival_type ~ "; make it a whole number or a TIMESTAMP") -%}
    {%- endif -%}
    {%- do strandline._check_numbers(definition, types, faults) -%}
    {%- if not faults -%}{%- do strandline._time_kind(definition, types, faults) -%}{%- endif -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults | unique | list) -%}
    {{- return(types) -}}
{% endmacro %}

{#- What is wrong with the type of a column by which events are told apart or put in order; none when it is not known. Runs keep
    its values as literals. NaN lies above every number, so that nothing would arrive after it; a BOOLEAN never grows. -#}
{% macro _order_faults(place, column, type) %}
    {%- set comparable = 'tinyint|smallint|int|bigint|decimal|date|timestamp|string|varchar|char|binary' ~ ('|float|double|boolean' if place == 'event_id' else '') -%}
    {%- if type is none or modules.re.match('(' ~ comparable ~ ')(?![a-z])', type) -%}{{- return([]) -}}{%- endif -%}
    {{- return(["`" ~ place ~ "` names " ~ column ~ ", which is " ~ type ~ "; take a whole number, a DECIMAL, a STRING, a BINARY, a DATE or a TIMESTAMP"
        ~ (", or cast it to one in a staging model" if place == 'arrival' else "; in a staging model, to_json(" ~ column ~ ") makes a STRING of it")]) -}}
{% endmacro %}

{#- Adds a fault for each output whose aggregate needs a number and whose argument is of another
    type. Spark would cast a text, and what is no number would be null. `types` has the type of an
    argument, where it is known. -#}
{% macro _check_numbers(definition, types, faults) %}
    {%- for output in definition.outputs if output.function in strandline._number_aggregates() -%}
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

{% macro _number_aggregates() %}
    {{- return(['avg', 'sum', 'variance', 'stddev', 'var_pop', 'stddev_pop', 'quantile',
        'time_weight']) -}}
{% endmacro %}

{#- Refuses expressions in `select` that Spark does not take, or of types that cannot do their part:
    before the table is built, each with its own text, and not within the whole query. Spark only
    analyses them. -#}
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

{#- What Spark makes of each expression over a source: {expression: {type, error}}. An adapter that
    cannot tell stops with Spark's own error. -#}
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

{#- What follows the mention of an expression that Spark refused: the column that is not there, or
    Spark's own sentence. -#}
{% macro _expression_fault(error, source, columns) %}
    {%- set unknown = modules.re.search('with name `([^`]+)` cannot be resolved', error) -%}
    {%- if unknown -%}
        {{- return(", and " ~ source.identifier ~ " has no column '" ~ unknown.group(1)
            ~ "'; it has " ~ strandline._choices(columns)
            ~ strandline._nearest(unknown.group(1), columns)) -}}
    {%- endif -%}
    {%- set told = modules.re.sub('(?s)\\s*SQLSTATE: \\w{5}.*', '', error) | trim -%}
    {{- return(", which Spark does not take: " ~ told) -}}
{% endmacro %}

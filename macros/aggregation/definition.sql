{#- The definition of an aggregation. All of it is checked; one error names all faults. See
    _macros.yml. -#}
{% macro aggregation(name, source, select, ts, keys=[], every='sec...year', arrival='arrival',
    event_id=none, buffer_size=none, ignore_events_older_than_buffer=false, time_zone='UTC',
    mutability_period=none, retention={}, not_after=none, arrival_lookback=none,
    day_start='PT0S') %}
    {%- set read = strandline._arguments(
        "aggregation" ~ (" '" ~ name ~ "'" if name is defined else ''), kwargs, varargs, {
        'name': ['name', name, "it begins the names of the tables, so write letters, digits and "
            ~ "underscores, such as 'trade_aggregation'"],
        'source': ['relation', source,
            "pass a relation: ref('trades') or source('shop', 'trades')", {'unread': true}],
        'select': ['any', select, "write a mapping from output to aggregate, such as {'avg_price': "
            ~ "'avg(price)'}"],
        'ts': ['column', ts, "name the column of the events' time, or write none to use the time "
            ~ "of arrival", {'optional': true}],
        'keys': ['columns', keys, "write a list of columns, such as ['symbol']",
            {'reserved': {'prefix': 'agg_',
                'why': 'and names that begin with agg_ are columns of the tables'}}],
        'every': ['any', every],
        'arrival': ['column', arrival],
        'event_id': ['column', event_id, none, {'optional': true}],
        'buffer_size': ['count', buffer_size, "write how many buckets stay open behind the newest, "
            ~ "a whole number from 0", {'optional': true, 'from': 0}],
        'ignore_events_older_than_buffer': ['flag', ignore_events_older_than_buffer],
        'time_zone': ['zone', time_zone],
        'mutability_period': ['length', mutability_period, "write a length of time of whole "
            ~ "seconds, such as '3 days' or 'PT12H' (months and years have no fixed length)",
            {'optional': true, 'step': 1000000}],
        'retention': ['any', retention],
        'not_after': ['expression', not_after, strandline._bound_form(), {'optional': true}],
        'arrival_lookback': ['any', arrival_lookback],
        'day_start': strandline._day_start_argument(day_start),
    }) -%}
    {%- set faults = read.faults -%}
    {%- set durations = strandline._duration_range(every, faults) -%}
    {%- set outputs = strandline._outputs(select, read['keys'], faults) -%}
    {%- set buffer = strandline._buffer(read, durations) -%}
    {%- set after_midnight = strandline._day_start_seconds(read) -%}
    {%- for name in durations if after_midnight and strandline._duration(name).micros
        and after_midnight * 1000000 % strandline._duration(name).micros -%}
        {%- do faults.append("`day_start` is '" ~ day_start ~ "', at which no bucket of " ~ name
            ~ " begins, and days consist of them; write a multiple of that duration") -%}
    {%- endfor -%}
    {%- set retention = strandline._retention(retention, durations, faults) -%}
    {%- set lookback = strandline._arrival_lookback(arrival_lookback, event_id, buffer_size,
        retention, faults) -%}
    {%- if mutability_period is not none and buffer_size is not none -%}
        {%- do faults.append("`mutability_period` and `buffer_size` exclude each other: a buffer "
            ~ "depends on the order of arrival, which rows that change later do not keep; remove "
            ~ "one of them") -%}
    {%- endif -%}
    {%- if buffer and not buffer.drops
        and outputs | selectattr('function', 'equalto', 'time_weight') | list -%}
        {%- do faults.append("`select` has a time_weight, and `buffer_size` counts an old event in "
            ~ "a later bucket than its own; a time weight needs the events' own times: remove the "
            ~ "buffer, or set `ignore_events_older_than_buffer` to true") -%}
    {%- endif -%}
    {%- if not_after is not none and ts is none -%}
        {%- do faults.append("`not_after` is given, and the aggregation uses the time of arrival "
            ~ "(`ts` is none); remove it") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, faults) -%}

    {{- return({
        'name': name, 'source': source, 'keys': read['keys'], 'ts': ts,
        'durations': durations, 'arrival': arrival, 'event_id': event_id, 'buffer': buffer,
        'time_zone': time_zone, 'day_start': after_midnight, 'retention': retention,
        'not_after': not_after,
        'mutability_seconds': none if mutability_period is none
            else read.mutability_period // 1000000,
        'arrival_lookback': lookback,
        'outputs': outputs, 'parts': strandline._distinct_parts(outputs),
    }) -}}
{% endmacro %}

{#- The stored parts of all outputs without duplicates: an average and a sum of the same argument
    share the sum. -#}
{% macro _distinct_parts(outputs) %}
    {%- set parts = {} -%}
    {%- for output in outputs -%}
        {%- for kind, column in output.columns.items() -%}
            {%- do parts.update({column: {'column': column, 'kind': kind,
                'argument': output.argument}}) -%}
            {%- if kind == 'time_weight' -%}
                {%- do parts[column].update(output.option) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(parts.values() | list) -}}
{% endmacro %}

{#- The buffer of a definition: how many buckets stay open, and whether older events are dropped.
    None if every event counts in its own bucket, however late. -#}
{% macro _buffer(read, durations) %}
    {%- set size, drops = read.buffer_size, read.ignore_events_older_than_buffer -%}
    {%- if size is none and drops is not sameas true -%}{{- return(none) -}}{%- endif -%}
    {%- set given = "`buffer_size` is '" ~ size ~ "'" if size is not none
        else "`ignore_events_older_than_buffer` is true" -%}
    {%- if read.ts is none -%}
        {%- do read.faults.append(given ~ ", and the aggregation uses the time of arrival (`ts` is "
            ~ "none), which is never out of order; remove it") -%}
    {%- endif -%}
    {%- if durations and strandline._duration(durations[0]).months -%}
        {%- do read.faults.append(given ~ ", and the shortest duration is " ~ durations[0]
            ~ "; a buffer needs seconds, minutes, hours or days: begin `every` with one of these, "
            ~ "or remove it") -%}
    {%- endif -%}
    {{- return({'size': size or 0, 'drops': drops}) -}}
{% endmacro %}

{#- All outputs of `select`, parsed. Appends errors of their names and texts to `faults`. -#}
{% macro _outputs(select, keys, faults) %}
    {%- if select is not mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select
            ~ "'; write a mapping from output to aggregate, "
            ~ "such as {'avg_price': 'avg(price)'}") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set outputs, known = [], strandline._stored_aggregates() -%}
    {%- for name, expression in select.items() -%}
        {%- if not strandline._is_identifier(name) or name in keys or name.startswith('agg_') -%}
            {%- do faults.append("`select` names an output '" ~ name
                ~ "'; choose a plain name that is not in `keys` and does not begin with agg_ "
                ~ "(reserved for stored columns)") -%}
        {%- endif -%}
        {%- set given = "`select` has " ~ name ~ " = '" ~ expression ~ "'" -%}
        {%- set call = strandline._split_call(expression, known, given, faults) -%}
        {%- if call is none -%}
            {%- set output = none -%}
        {%- elif call.function == 'latest' -%}
            {%- set output = {'argument': call.argument, 'option': none,
                'columns': {'latest': strandline._part_column('latest', call.argument)}} -%}
        {%- elif call.function == 'time_weight' -%}
            {%- set output = strandline._parse_time_weight(call.argument, given, faults) -%}
        {%- else -%}
            {%- set output = strandline._parse_aggregate(call.function, known[call.function].parts,
                call.argument, given, faults) -%}
        {%- endif -%}
        {%- if output is not none -%}
            {%- do outputs.append(dict(output, name=name, function=call.function,
                text=expression | string | trim,
                takes=known.get(call.function, {}).get('takes', 'any'))) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(outputs) -}}
{% endmacro %}

{#- Parses one expression of `select`. A call such as `avg(price)` is an aggregate with one
    argument; any other expression is the value of the latest event. Returns the function and its
    argument, or none and a fault. `known` has the aggregates that can be stored. -#}
{% macro _split_call(expression, known, given, faults) %}
    {%- set plain = modules.re.sub("'[^']*'|`[^`]*`", "''", expression | string) -%}
    {%- set call = modules.re.match('^\\s*([A-Za-z_]\\w*)\\s*\\((.*)\\)\\s*$', expression | string,
        modules.re.S) -%}
    {%- set is_call = call is not none and strandline._is_balanced(call.group(2)) -%}
    {%- set inside = modules.re.search('\\b(' ~ known | join('|') ~ ')\\s*\\(',
        modules.re.sub('`[^`]*`', '', call.group(2)) if is_call else plain, modules.re.I) -%}

    {%- if inside or not strandline._is_balanced(expression | string) or not expression -%}
        {%- do faults.append(given ~ "; write one aggregate of one argument, such as 'avg(price)', "
            ~ "with one of "
            ~ strandline._choices(known) ~ ", or an expression without any, which is the latest "
            ~ "event's value; combine several aggregates in the query that reads them") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- if not is_call -%}
        {{- return({'function': 'latest', 'argument': expression | string | trim}) -}}
    {%- endif -%}

    {%- set function = strandline._known_name(call.group(1), known) -%}
    {%- if function in known -%}
        {{- return({'function': function, 'argument': call.group(2) | trim}) -}}
    {%- endif -%}
    {%- do faults.append(given ~ ", and '" ~ call.group(1)
        ~ "' is not a known aggregate" ~ strandline._nearest(call.group(1), known)
        ~ "; use one of " ~ strandline._choices(known)
        ~ "; for the latest event's value of a function, put it in parentheses: '("
        ~ expression | trim ~ ")'") -%}
    {{- return(none) -}}
{% endmacro %}

{#- Parses the call of an aggregate with these parts: its argument, and the fraction of a
    quantile. -#}
{% macro _parse_aggregate(function, parts, argument, given, faults) %}
    {%- set option = none -%}
    {%- if function == 'quantile' -%}
        {%- set read = modules.re.match('^(.*),\\s*(0(?:\\.\\d+)?|1(?:\\.0+)?|\\.\\d+)$', argument,
            modules.re.S) -%}
        {%- if read is none or not strandline._is_balanced(read.group(1)) -%}
            {%- do faults.append(given ~ "; quantile takes an argument and a number from 0 to 1, "
                ~ "such as 'quantile(price, 0.95)'") -%}
            {{- return(none) -}}
        {%- endif -%}
        {%- set argument, option = read.group(1) | trim, read.group(2) ~ 'D' -%}
    {%- endif -%}
    {%- if not argument or (argument == '*' and function != 'count')
        or modules.re.match('distinct\\s', argument | lower) -%}
        {%- do faults.append(given ~ "; " ~ function ~ " takes a column or an expression"
            ~ (", or *" if function == 'count') ~ ", and got '" ~ argument ~ "'"
            ~ ("; different values are counted by 'distinctCount(…)'"
                if argument | lower != '*' and argument)) -%}
        {{- return(none) -}}
    {%- endif -%}

    {%- set columns = {} -%}
    {%- for kind in parts -%}
        {%- do columns.update({kind: strandline._part_column(kind, argument)}) -%}
    {%- endfor -%}
    {{- return({'argument': argument, 'option': option, 'columns': columns}) -}}
{% endmacro %}

{#- Parses `time_weight(value, 'method', 'gap', 'nulls')` in `select`, where the gap may be `null`;
    the time is that of the events. The column's name depends on the value of the gap, not on its
    spelling: '90 minutes' and 'PT90M' share one column. -#}
{% macro _parse_time_weight(argument, given, faults) %}
    {%- set read = modules.re.match("^(.*?),\\s*'([^']*)'\\s*(?:,\\s*(?:'([^']*)'|null)\\s*"
        ~ "(?:,\\s*'([^']*)'\\s*)?)?$", argument, modules.re.S) -%}
    {%- set value = read.group(1) | trim if read else '' -%}
    {%- if value in ['', '*'] or modules.re.match('distinct\\s', value | lower)
        or not strandline._is_balanced(value) -%}
        {%- do faults.append(given ~ "; time_weight takes a value, a method and, for a signal with "
            ~ "gaps, the gap, such as "
            ~ "\"time_weight(temperature, 'locf', '90 minutes')\", and 'end' after it, or after "
            ~ "null for no gap, if a null ends the value before it; the time is that of `ts`") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set wrong = [] -%}
    {%- set method = strandline._methods().get(strandline._argument('method',
        strandline._method_argument(read.group(2)), wrong)) -%}
    {%- set micros = strandline._argument('gap', strandline._gap_argument(read.group(3)),
        wrong) -%}
    {%- set nulls = strandline._argument('nulls', strandline._nulls_argument(
        'ignore' if read.group(4) is none else read.group(4)), wrong) -%}
    {%- for fault in wrong -%}{%- do faults.append(given ~ ": " ~ fault) -%}{%- endfor -%}
    {%- set suffix = '' if micros is none
        else ' ' ~ (micros ~ 'us' if micros % 1000000 else micros // 1000000 ~ 's') -%}
    {{- return({'argument': value, 'option': dict({'method': "'" ~ method ~ "'",
            'gap': strandline._gap_micros(micros)},
            **({'nulls': 'end'} if nulls == 'end' else {})),
        'columns': {'time_weight': strandline._part_column('time_weight',
            value ~ ' ' ~ method ~ suffix ~ (' end' if nulls == 'end' else ''))}}) -}}
{% endmacro %}

{#- The column that stores one part of one argument: `agg_sum_price`, `agg_count` for `count(*)`.
    For an expression it has a readable stem and a hash, so that two expressions never share a
    column. -#}
{% macro _part_column(kind, argument) %}
    {%- if argument == '*' -%}{{- return('agg_' ~ kind) -}}{%- endif -%}
    {%- if strandline._is_identifier(argument) -%}
        {{- return('agg_' ~ kind ~ '_' ~ argument | lower) -}}
    {%- endif -%}
    {%- set stem = modules.re.sub('[^a-z0-9]+', '_',
        argument | lower).strip('_')[:40].strip('_') -%}
    {{- return('agg_' ~ kind ~ '_' ~ stem ~ '_' ~ local_md5(argument)[:6]) -}}
{% endmacro %}

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
            'timestamp']], '(select * from ' ~ task.upstream ~ ') as __upstream', definition.source,
            columns, faults) -%}
    {%- endif -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults) -%}
{% endmacro %}

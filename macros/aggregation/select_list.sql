{#- All outputs of `select`, parsed. Appends errors of their names and texts to `faults`. -#}
{% macro _outputs(select, keys, faults) %}
    {%- if select is not mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select
            ~ "'; write a mapping from output to aggregate, "
            ~ "such as {'avg_price': 'avg(price)'}") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set outputs = [] -%}
    {%- for name, expression in select.items() -%}
        {%- if not strandline._is_identifier(name) or name in keys or name.startswith('agg_') -%}
            {%- do faults.append("`select` names an output '" ~ name
                ~ "'; choose a plain name that is not in `keys` and does not begin with agg_ "
                ~ "(reserved for stored columns)") -%}
        {%- endif -%}
        {%- set given = "`select` has " ~ name ~ " = '" ~ expression ~ "'" -%}
        {%- set call = strandline._split_call(expression, given, faults) -%}
        {%- if call is none -%}
            {%- set output = none -%}
        {%- elif call.function == 'latest' -%}
            {%- set output = {'argument': call.argument, 'option': none,
                'columns': {'latest': strandline._part_column('latest', call.argument)}} -%}
        {%- elif call.function == 'time_weight' -%}
            {%- set output = strandline._parse_time_weight(call.argument, given, faults) -%}
        {%- else -%}
            {%- set output = strandline._parse_aggregate(call.function, call.argument, given,
                faults) -%}
        {%- endif -%}
        {%- if output is not none -%}
            {%- do outputs.append(dict(output, name=name, function=call.function,
                text=expression | string | trim,
                takes=strandline._aggregates().get(call.function, {}).get('takes', 'any'))) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(outputs) -}}
{% endmacro %}

{#- Parses one expression of `select`. A call such as `avg(price)` is an aggregate with one
    argument; any other expression is the value of the latest event. Returns the function and its
    argument, or none and a fault. -#}
{% macro _split_call(expression, given, faults) %}
    {%- set known = strandline._aggregates() -%}
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

    {%- for candidate in known if candidate | lower == call.group(1) | lower -%}
        {{- return({'function': candidate, 'argument': call.group(2) | trim}) -}}
    {%- endfor -%}
    {%- do faults.append(given ~ ", and '" ~ call.group(1)
        ~ "' is not a known aggregate" ~ strandline._nearest(call.group(1), known)
        ~ "; use one of " ~ strandline._choices(known)
        ~ "; for the latest event's value of a function, put it in parentheses: '("
        ~ expression | trim ~ ")'") -%}
    {{- return(none) -}}
{% endmacro %}

{#- Parses the call of a known aggregate: its argument, and the fraction of a quantile. -#}
{% macro _parse_aggregate(function, argument, given, faults) %}
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
    {%- for kind in strandline._aggregates()[function].parts -%}
        {%- do columns.update({kind: strandline._part_column(kind, argument)}) -%}
    {%- endfor -%}
    {{- return({'argument': argument, 'option': option, 'columns': columns}) -}}
{% endmacro %}

{#- Parses `time_weight(value, 'method', 'gap')` in `select`; the time is that of the events. The
    column's name depends on the value of the gap, not on its spelling: '90 minutes' and 'PT90M'
    share one column. -#}
{% macro _parse_time_weight(argument, given, faults) %}
    {%- set read = modules.re.match("^(.*?),\\s*'([^']*)'\\s*(?:,\\s*'([^']*)'\\s*)?$", argument,
        modules.re.S) -%}
    {%- set value = read.group(1) | trim if read else '' -%}
    {%- if value in ['', '*'] or modules.re.match('distinct\\s', value | lower)
        or not strandline._is_balanced(value) -%}
        {%- do faults.append(given ~ "; time_weight takes a value, a method and, for a signal with "
            ~ "gaps, the gap, such as "
            ~ "\"time_weight(temperature, 'locf', '90 minutes')\"; the time is that of `ts`") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set wrong = [] -%}
    {%- set method = strandline._methods().get(strandline._argument('choice', 'method',
        read.group(2), strandline._method_argument(none)[2], strandline._method_argument(none)[3],
        wrong)) -%}
    {%- set micros = none if read.group(3) is none else strandline._argument('length', 'gap',
        read.group(3), strandline._gap_argument(none)[2], {}, wrong) -%}
    {%- for fault in wrong -%}{%- do faults.append(given ~ ": " ~ fault) -%}{%- endfor -%}
    {%- set suffix = '' if micros is none
        else ' ' ~ (micros ~ 'us' if micros % 1000000 else micros // 1000000 ~ 's') -%}
    {{- return({'argument': value, 'option': {'method': "'" ~ method ~ "'",
            'gap': strandline._gap_micros(micros)},
        'columns': {'time_weight': strandline._part_column('time_weight',
            value ~ ' ' ~ method ~ suffix)}}) -}}
{% endmacro %}

{#- The aggregates that a definition can use. Each is computed from mergeable parts (`parts`) and
    never stored itself. `read` is the expression of the retrieval; `{part}` is a stored column.
    `takes` is number where other types are refused. An expression that calls none of them is the
    value of the latest event. -#}
{% macro _aggregates() %}
    {{- return({
        'avg': {'takes': 'number', 'parts': ['sum', 'count'], 'read': '{sum} / {count}'},
        'sum': {'takes': 'number', 'parts': ['sum'], 'read': '{sum}'},
        'min': {'parts': ['min'], 'read': '{min}'},
        'max': {'parts': ['max'], 'read': '{max}'},
        'count': {'parts': ['count'], 'read': '{count}'},
        'distinctCount': {'parts': ['distinct'], 'read': 'size({distinct})'},
        'approx_count_distinct': {'parts': ['hll'], 'read': 'hll_sketch_estimate({hll})'},
        'variance': {'takes': 'number', 'parts': ['moments'],
            'read': 'if({moments}.n > 1, {moments}.m2 / ({moments}.n - 1), null)'},
        'stddev': {'takes': 'number', 'parts': ['moments'],
            'read': 'if({moments}.n > 1, sqrt({moments}.m2 / ({moments}.n - 1)), null)'},
        'var_pop': {'takes': 'number', 'parts': ['moments'], 'read': '{moments}.m2 / {moments}.n'},
        'stddev_pop': {'takes': 'number', 'parts': ['moments'],
            'read': 'sqrt({moments}.m2 / {moments}.n)'},
        'first': {'parts': ['first'], 'read': '{first}.value'},
        'last': {'parts': ['last'], 'read': '{last}.value'},
        'quantile': {'takes': 'number', 'parts': ['kll'],
            'read': 'if(kll_sketch_get_n_double({kll}) > 0, kll_sketch_get_quantile_double({kll}, '
                ~ '{option}), null)'},
        'time_weight': {'takes': 'number', 'parts': ['time_weight'], 'read': '{time_weight}'},
    }) -}}
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

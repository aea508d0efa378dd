{#- Reads `aggregates`: a mapping of names to `function(expression)`, with `entrance only` and
    `diff` or `diff from <baseline>` after it; or a pair of SQL expressions: an aggregate over the
    rows inside, and its value when there are none. Returns a list; appends faults. -#}
{% macro _read_aggregates(aggregates, faults) %}
    {%- set read = [] -%}
    {%- if aggregates is not none and (aggregates is not mapping or not aggregates) -%}
        {%- do faults.append("`aggregates` is '" ~ aggregates ~ "'; write a mapping of names to "
            ~ "aggregates, such as {'requests': 'count(id)'}") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for name, text in (aggregates or {}).items() -%}
        {%- set found = {'name': name, 'function': none, 'argument': none, 'entrance': false,
            'diff': false, 'baseline': none, 'sql': none, 'empty': none} -%}
        {%- if not strandline._is_column_name(name)
            or name | lower in strandline._window_columns() -%}
            {%- do faults.append("`aggregates` has the name '" ~ name ~ "'; write a column name "
                ~ "that is no column of every window" ~ strandline._column_name_rule()) -%}
        {%- elif name | lower in read | map(attribute='name') | map('lower') -%}
            {%- do faults.append("`aggregates` has the name '" ~ name ~ "' more than once, in "
                ~ "upper or lower case; take another name") -%}
        {%- endif -%}
        {%- if text is string -%}
            {%- do strandline._read_aggregate(name, text, found, faults) -%}
        {%- elif text is sequence and text is not mapping and text | length == 2
            and text[0] is string and text[1] is string -%}
            {%- do found.update({'function': 'own', 'sql': text[0], 'empty': text[1]}) -%}
        {%- else -%}
            {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; write a text "
                ~ "such as 'sum(price)', or a pair of SQL expressions: an aggregate over the rows "
                ~ "inside and its value when there are none, such as "
                ~ "['max(price) - min(price)', '0']") -%}
        {%- endif -%}
        {%- do read.append(found) -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The functions of aggregates. -#}
{% macro _window_functions() %}
    {{- return(['count', 'sum', 'min', 'max', 'avg', 'median', 'variance', 'stddev',
        'geometric_mean', 'skewness', 'kurtosis', 'sumsq']) -}}
{% endmacro %}

{#- One aggregate in text. -#}
{% macro _read_aggregate(name, text, found, faults) %}
    {%- set form = modules.re.match(
        '(?is)^\\s*(\\w+)\\s*\\((.*)\\)(\\s+entrance\\s+only)?'
        ~ '(\\s+diff(?:\\s+from\\s+(.+?))?)?\\s*$', text) -%}
    {%- set function = form.group(1) | lower if form else none -%}
    {%- set known = strandline._window_functions() -%}
    {%- if function not in known -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'"
            ~ ("; there is no aggregate '" ~ function ~ "'"
                ~ strandline._nearest(function, known) if form) ~ "; write function(expression) "
            ~ "[entrance only] [diff [from baseline]], where the function is one of "
            ~ known | join(', ') ~ "; an aggregate of your own is a pair of SQL expressions") -%}
    {%- elif not form.group(2) | trim -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text
            ~ "', which has no argument; write a column, such as " ~ function ~ "(id)") -%}
    {%- elif not strandline._is_balanced(form.group(2)) -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; after the function's "
            ~ "parentheses only `entrance only` and `diff` may stand: for a filter write "
            ~ function ~ "(case when … then … end); an aggregate of your own is a pair of SQL "
            ~ "expressions: ['" ~ text ~ "', 'null']") -%}
    {%- elif modules.re.match('(?is)\\s*(distinct|all)\\b', form.group(2)) -%}
        {%- set kind = modules.re.match('(?is)\\s*(distinct|all)\\b', form.group(2)).group(1) -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; `" ~ kind | lower
            ~ "` is no part of an expression: " ~ ("leave it out" if kind | lower == 'all'
                else "write a pair, the aggregate and its value when no row is inside: ['"
                ~ function ~ '(' ~ form.group(2) | trim ~ ")', '"
                ~ ('0' if function == 'count' else 'null') ~ "']")) -%}
    {%- elif form.group(2) | trim == '*' and function != 'count' -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; only `count` takes "
            ~ "*; write a column, such as " ~ function ~ "(price)") -%}
    {%- elif strandline._has_comma(form.group(2)) -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "', which has several "
            ~ "arguments; write one expression, such as " ~ function ~ "(id)") -%}
    {%- elif function == 'median' and form.group(3) -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; a median cannot be "
            ~ "entrance only, because it needs all rows that ever entered") -%}
    {%- endif -%}
    {%- if form -%}
        {%- do found.update({'function': function, 'argument': form.group(2) | trim,
            'entrance': form.group(3) is not none, 'diff': form.group(4) is not none,
            'baseline': form.group(5)}) -%}
    {%- endif -%}
{% endmacro %}

{#- Whether a comma stands outside of all parentheses and quotes. -#}
{% macro _has_comma(expression) %}
    {%- set depth = namespace(now=0) -%}
    {%- for character in modules.re.sub("'[^']*'|`[^`]*`", '', expression)
        if character in '(),[]{}' -%}
        {%- if character == ',' and not depth.now -%}{{- return(true) -}}{%- endif -%}
        {%- set depth.now = depth.now + (0 if character == ',' else 1 if character in '([{'
            else -1) -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}

{#- Reads one output of `select`: a call such as `avg(price)` is an aggregate of one argument, and
    any other expression is the value of the latest event. Gives its function, its argument and the
    columns that store its parts; none, and a fault, when it is neither. -#}
{% macro _parse_output(name, expression, faults) %}
    {%- set known = strandline._aggregates() -%}
    {%- set given = "`select` has " ~ name ~ " = '" ~ expression ~ "'" -%}
    {%- set plain = modules.re.sub("'[^']*'", "''", expression | string) -%}
    {%- set call = modules.re.match('^\\s*([A-Za-z_]\\w*)\\s*\\((.*)\\)\\s*$', expression | string, modules.re.S) -%}
    {%- set is_call = call is not none and strandline._is_balanced(call.group(2)) -%}
    {%- set inside = modules.re.search('\\b(' ~ known | join('|') ~ ')\\s*\\(', call.group(2) if is_call else plain, modules.re.I) -%}

    {%- if inside or not strandline._is_balanced(expression | string) or not expression -%}
        {%- do faults.append(given ~ "; write one aggregate of one argument, such as 'avg(price)', with one of "
            ~ strandline._choices(known) ~ ", or an expression without any, which is the latest event's value;"
            ~ " what combines several is computed on reading") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- if not is_call -%}
        {{- return({'name': name, 'function': 'latest', 'argument': expression | string | trim, 'option': none,
            'columns': {'latest': strandline._part_column('latest', expression | string | trim)}}) -}}
    {%- endif -%}

    {%- for candidate in known if candidate | lower == call.group(1) | lower -%}
        {{- return(strandline._parse_call(name, candidate, call.group(2) | trim, given, faults)) -}}
    {%- endfor -%}
    {%- do faults.append(given ~ ", and '" ~ call.group(1) ~ "' is not a known aggregate; use one of "
        ~ strandline._choices(known) ~ "; for the latest event's value of a function, put it in brackets: '("
        ~ expression | trim ~ ")'") -%}
    {{- return(none) -}}
{% endmacro %}

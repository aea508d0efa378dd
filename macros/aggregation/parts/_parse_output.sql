{#- Reads one output of `select`, such as `avg(price)`: its function, its argument and the columns
    that store its parts. Returns none and adds to `faults` when it is no single known aggregate. -#}
{% macro _parse_output(name, expression, faults) %}
    {%- set known = strandline._aggregates() -%}
    {%- set call = modules.re.match('^\\s*([A-Za-z_]\\w*)\\s*\\((.*)\\)\\s*$', expression | string, modules.re.S) -%}
    {%- if call is none or not strandline._is_balanced(call.group(2)) -%}
        {%- do faults.append("`select` has " ~ name ~ " = '" ~ expression ~ "'; write one aggregate of one "
            ~ "argument, such as 'avg(price)', with one of " ~ strandline._choices(known)
            ~ "; what combines several is computed on reading") -%}
        {{- return(none) -}}
    {%- endif -%}

    {%- set function, argument = call.group(1) | lower, call.group(2) | trim -%}
    {%- if function not in known -%}
        {%- do faults.append("`select` has " ~ name ~ " = '" ~ expression ~ "', and '" ~ call.group(1)
            ~ "' is not a known aggregate; use one of " ~ strandline._choices(known)) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- if not argument or (argument == '*' and function != 'count') or modules.re.match('distinct\\s', argument | lower) -%}
        {%- do faults.append("`select` has " ~ name ~ " = '" ~ expression ~ "'; " ~ function
            ~ " takes a column or an expression" ~ (", or *" if function == 'count')
            ~ ", and got '" ~ argument ~ "'") -%}
        {{- return(none) -}}
    {%- endif -%}

    {%- set columns = {} -%}
    {%- for kind in known[function].parts -%}
        {%- do columns.update({kind: strandline._part_column(kind, argument)}) -%}
    {%- endfor -%}
    {{- return({'name': name, 'function': function, 'argument': argument, 'columns': columns}) -}}
{% endmacro %}

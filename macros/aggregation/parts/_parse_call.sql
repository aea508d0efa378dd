{#- Reads the call of a known aggregate: its argument, and for a quantile also which one. -#}
{% macro _parse_call(name, function, argument, given, faults) %}
    {%- if function == 'time_weight' -%}{{- return(strandline._parse_time_weight(name, argument, given, faults)) -}}{%- endif -%}
    {%- set option = none -%}
    {%- if function == 'quantile' -%}
        {%- set read = modules.re.match('^(.*),\\s*(0(?:\\.\\d+)?|1(?:\\.0+)?|\\.\\d+)$', argument, modules.re.S) -%}
        {%- if read is none or not strandline._is_balanced(read.group(1)) -%}
            {%- do faults.append(given ~ "; quantile takes an argument and a number from 0 to 1, such as "
                ~ "'quantile(price, 0.95)'") -%}
            {{- return(none) -}}
        {%- endif -%}
        {%- set argument, option = read.group(1) | trim, read.group(2) ~ 'D' -%}
    {%- endif -%}
    {%- if not argument or (argument == '*' and function != 'count') or modules.re.match('distinct\\s', argument | lower) -%}
        {%- do faults.append(given ~ "; " ~ function ~ " takes a column or an expression"
            ~ (", or *" if function == 'count') ~ ", and got '" ~ argument ~ "'"
            ~ ("; different values are counted by 'distinctCount(…)'" if argument | lower != '*' and argument)) -%}
        {{- return(none) -}}
    {%- endif -%}

    {%- set columns = {} -%}
    {%- for kind in strandline._aggregates()[function].parts -%}
        {%- do columns.update({kind: strandline._part_column(kind, argument)}) -%}
    {%- endfor -%}
    {{- return({'name': name, 'function': function, 'argument': argument, 'option': option, 'columns': columns}) -}}
{% endmacro %}

{#- [start, end) in Unix milliseconds of a pattern whose right part is asterisks: `2018-01-** **:**:**`
    is January 2018. None when it is no such pattern; a star to the left of a number is none. -#}
{% macro _pattern_bounds(pattern) %}
    {%- set form = '^(\\d{4})-(\\d\\d|\\*\\*)-(\\d\\d|\\*\\*) (\\d\\d|\\*\\*):(\\d\\d|\\*\\*):(\\d\\d|\\*\\*)(?: ?(Z|[+-]\\d\\d:\\d\\d))?$' -%}
    {%- set read = modules.re.match(form, pattern | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set written = read.groups()[:6] -%}
    {%- set known = written | reject('equalto', '**') | list | length -%}
    {%- if '**' in written[:known] -%}{{- return(none) -}}{%- endif -%}

    {%- set start = written[:known] | map('int') | list + [1, 1, 1, 0, 0, 0][known:] -%}
    {%- set from = strandline._utc_millis(start, read.group(7)) -%}
    {%- if from is none -%}{{- return(none) -}}{%- endif -%}
    {%- if known <= 2 -%}
        {%- set next = [start[0] + 1, 1] if known == 1 or start[1] == 12 else [start[0], start[1] + 1] -%}
        {{- return([from, strandline._utc_millis(next + [1, 0, 0, 0], read.group(7))]) -}}
    {%- endif -%}
    {{- return([from, from + {3: 86400, 4: 3600, 5: 60, 6: 1}[known] * 1000]) -}}
{% endmacro %}

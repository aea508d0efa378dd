{#- The seconds of a period written as a whole number and a unit: `120 sec`, `24 hours`, `1 year`; none
    when it is no such period. A month counts 31 days and a year 366: what is to be kept for a
    year is kept through a leap year too. -#}
{% macro _period_seconds(text) %}
    {%- set read = modules.re.match('^([1-9][0-9]{0,8})\\s*([A-Za-z]+)$', text | string | trim) -%}
    {%- set unit = strandline._duration(read.group(2)) if read else none -%}
    {%- if unit is none -%}{{- return(none) -}}{%- endif -%}
    {%- set seconds = {'seconds': 1, 'minutes': 60, 'hours': 3600, 'days': 86400,
        'months': 31 * 86400, 'years': 366 * 86400} -%}
    {{- return(read.group(1) | int * seconds[unit.name]) -}}
{% endmacro %}

{#- The microseconds of a length of time: whole numbers with units, `'90 minutes'` or `'1 hour 30 min'`, or
    an ISO 8601 duration of weeks to seconds, `'PT90M'`. None when it is no such length: months and
    years have none of their own. -#}
{% macro _interval_micros(text) %}
    {%- set given = text | string | trim -%}
    {%- set iso = '^P(?=.)(?:(\\d+)W)?(?:(\\d+)D)?(?:T(?=\\d)(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?)?$' -%}
    {%- set read = modules.re.match(iso, given, modules.re.A) -%}
    {%- set micros = namespace(total=0) -%}
    {%- if read -%}
        {%- for number in read.groups() -%}
            {%- set micros.total = micros.total + (number or 0) | int * [604800, 86400, 3600, 60, 1][loop.index0] * 1000000 -%}
        {%- endfor -%}
        {{- return(micros.total or none) -}}
    {%- endif -%}
    {%- if not modules.re.match('^(\\d+ *[A-Za-z]+ *)+$', given, modules.re.A) -%}{{- return(none) -}}{%- endif -%}
    {%- for number, spelling in modules.re.findall('(\\d+) *([A-Za-z]+)', given) -%}
        {%- set unit = strandline._unit_micros(spelling) -%}
        {%- if unit is none -%}{{- return(none) -}}{%- endif -%}
        {%- set micros.total = micros.total + number | int * unit -%}
    {%- endfor -%}
    {{- return(micros.total or none) -}}
{% endmacro %}

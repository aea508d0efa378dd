{#- The microseconds of a length of time: whole numbers with units, `'90 minutes'` or `'1 hour 30 min'`, or
    an ISO 8601 duration of weeks to seconds, `'PT90M'`. None when it is no such length: months and
    years have none of their own. -#}
{% macro _interval_micros(text) %}
    {%- set given = text | string | trim -%}
    {%- set iso = strandline._iso_micros(given) -%}
    {%- if iso is not none -%}{{- return(iso or none) -}}{%- endif -%}
    {%- if not modules.re.match('^(\\d+ *[A-Za-z]+ *)+$', given, modules.re.A) -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = namespace(total=0) -%}
    {%- for number, spelling in modules.re.findall('(\\d+) *([A-Za-z]+)', given) -%}
        {%- set unit = strandline._unit_micros(spelling) -%}
        {%- if unit is none -%}{{- return(none) -}}{%- endif -%}
        {%- set micros.total = micros.total + number | int * unit -%}
    {%- endfor -%}
    {{- return(micros.total or none) -}}
{% endmacro %}

{#- The microseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; none when it is no
    such duration. Months and years have no fixed length. -#}
{% macro _iso_micros(text) %}
    {%- set form = '^P(?=.)(?:(\\d+)W)?(?:(\\d+)D)?(?:T(?=\\d)(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?)?$' -%}
    {%- set read = modules.re.match(form, text | string | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = namespace(total=0) -%}
    {%- for number in read.groups() -%}
        {%- set micros.total = micros.total + (number or 0) | int * [604800, 86400, 3600, 60, 1][loop.index0] * 1000000 -%}
    {%- endfor -%}
    {{- return(micros.total) -}}
{% endmacro %}

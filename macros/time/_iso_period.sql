{#- An ISO 8601 duration in the three parts that have no fixed length in each other: months (of years too), days (of weeks
    too) and microseconds of hours to seconds. None when it is no such duration, or nothing. -#}
{% macro _iso_period(text) %}
    {%- set form = '^P(?=.)(?:(\\d{1,6})Y)?(?:(\\d{1,6})M)?(?:(\\d{1,6})W)?(?:(\\d{1,6})D)?'
        ~ '(?:T(?=\\d)(?:(\\d{1,7})H)?(?:(\\d{1,9})M)?(?:(\\d{1,9})S)?)?$' -%}
    {%- set read = modules.re.match(form, text | string | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set years, months, weeks, days, hours, minutes, seconds = read.groups('0') | map('int') -%}
    {%- set period = {'months': years * 12 + months, 'days': weeks * 7 + days,
        'micros': ((hours * 60 + minutes) * 60 + seconds) * 1000000} -%}
    {{- return(period if period.values() | sum else none) -}}
{% endmacro %}

{#- Unix milliseconds of [year, month, day, hour, minute, second] at an offset such as '+05:30';
    none when there is no such date, time or offset (18 hours at most, as in Spark). -#}
{% macro _utc_millis(fields, offset) %}
    {%- set year, month, day, hour, minute, second = fields -%}
    {%- set lengths = [31, 29 if (year % 4 == 0 and year % 100 != 0) or year % 400 == 0 else 28,
        31, 30, 31, 30, 31, 31, 30, 31, 30, 31] -%}
    {%- if year < 1 or month < 1 or month > 12 or day < 1 or day > lengths[month - 1]
        or hour > 23 or minute > 59 or second > 59 -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set ahead_hours, ahead_minutes = (0, 0) if offset in [none, 'Z'] else (offset[1:3] | int, offset[4:6] | int) -%}
    {%- set minutes = ahead_hours * 60 + ahead_minutes -%}
    {%- if minutes > 1080 or ahead_minutes > 59 -%}{{- return(none) -}}{%- endif -%}
    {%- set days = (modules.datetime.date(year, month, day) - modules.datetime.date(1970, 1, 1)).days -%}
    {%- set ahead = minutes * (-60 if offset and offset[0] == '-' else 60) -%}
    {{- return((days * 86400 + hour * 3600 + minute * 60 + second - ahead) * 1000) -}}
{% endmacro %}

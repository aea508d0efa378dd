{#- Unix microseconds as `yyyy-MM-dd HH:mm:ss[.ffffff]` in UTC. -#}
{% macro _micros_text(micros) %}
    {%- set instant = modules.datetime.datetime(1970, 1, 1) + modules.datetime.timedelta(microseconds=micros) -%}
    {{- return(instant.isoformat(' ')) -}}
{% endmacro %}

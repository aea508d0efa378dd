{#- Unix microseconds of `yyyy-MM-dd HH:mm:ss[.ffffff]` in UTC, as Spark and `_micros_text` write it. -#}
{% macro _text_micros(text) %}
    {%- set since = modules.datetime.datetime.fromisoformat(strandline._padded_micros(text)) - modules.datetime.datetime(1970, 1, 1) -%}
    {{- return((since.days * 86400 + since.seconds) * 1000000 + since.microseconds) -}}
{% endmacro %}

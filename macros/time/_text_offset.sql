{#- The offset that stands behind a time in text, such as +05:30; empty without one. -#}
{% macro _text_offset(column) %}
    {{- return("trim(substring(trim(" ~ column ~ "), 20))") -}}
{% endmacro %}

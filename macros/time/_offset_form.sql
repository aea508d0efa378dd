{#- The regular expression of an offset from GMT, for Spark. Written without backslashes, which
    a setting of the session may take away. -#}
{% macro _offset_form() %}
    {{- return('(Z|[+-][0-9]{2}:[0-9]{2})') -}}
{% endmacro %}

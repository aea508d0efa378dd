{#- Text as it stands between the quotes of a Spark SQL literal. -#}
{% macro _quoted(value) %}
    {{- return((value | string).replace('\\', '\\\\').replace("'", "\\'")) -}}
{% endmacro %}

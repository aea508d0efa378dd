{#- A value as a Spark SQL string literal. -#}
{% macro _literal(value) %}
    {{- return("'" ~ (value | string).replace('\\', '\\\\').replace("'", "\\'") ~ "'") -}}
{% endmacro %}

{#- A value as a Spark SQL string literal. -#}
{% macro _literal(value) %}
    {{- return("'" ~ strandline._quoted(value) ~ "'") -}}
{% endmacro %}

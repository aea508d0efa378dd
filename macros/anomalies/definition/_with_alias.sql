{#- Columns of an alias, as a select list. -#}
{% macro _with_alias(alias, columns) %}
    {{- return(alias ~ '.' ~ columns | join(', ' ~ alias ~ '.')) -}}
{% endmacro %}

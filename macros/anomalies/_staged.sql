{#- Computes a query once and holds it in the session under the name of a temporary view; gives the name. -#}
{% macro _staged(relation, name, sql) %}
    {%- set view = '`' ~ relation.schema ~ '__' ~ relation.identifier ~ '__' ~ name ~ '`' -%}
    {%- do run_query('drop view if exists ' ~ view) -%}
    {%- do run_query('cache table ' ~ view ~ ' as ' ~ sql) -%}
    {{- return(view) -}}
{% endmacro %}

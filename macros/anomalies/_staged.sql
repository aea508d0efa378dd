{#- Computes a query once, into a table beside the one it is for; gives its name. Tables, because a view, even one that is held
    in memory, brings its whole plan into each query that names it. -#}
{% macro _staged(relation, name, sql) %}
    {%- set table = strandline._staging(relation, name) -%}
    {%- do run_query('create or replace table ' ~ table ~ ' using delta as ' ~ sql) -%}
    {{- return(table) -}}
{% endmacro %}

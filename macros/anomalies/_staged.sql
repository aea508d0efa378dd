{#- Computes a query once; gives the name of its rows. Not as a view: a view, even one that is held in memory, brings its whole plan
    into each query that names it. So it is a table beside the one it is for; with `type: strandline`, whose connections have
    sessions of their own, a temp view over rows that Spark keeps, which costs a third. -#}
{% macro _staged(relation, name, sql) %}
    {%- set table = strandline._staging(relation, name) -%}
    {%- if strandline._in_session() -%}
        {%- do adapter.stage_query(sql, table.identifier) -%}
        {{- return('`' ~ table.identifier ~ '`') -}}
    {%- endif -%}
    {%- do run_query('create or replace table ' ~ table ~ ' using delta as ' ~ sql) -%}
    {{- return(table) -}}
{% endmacro %}

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

{#- The table that holds one step of a run. A run that dies leaves it to the next, which replaces it. -#}
{% macro _staging(relation, name) %}
    {{- return(api.Relation.create(database=relation.database, schema=relation.schema, identifier=relation.identifier ~ '__' ~ name)) -}}
{% endmacro %}

{#- Drops the tables of a run's steps; what stands in the session goes with it. -#}
{% macro _drop_staged(relation) %}
    {%- for name in ['judged', 'regrouped', 'told', 'changes'] if not strandline._in_session() -%}
        {%- do run_query('drop table if exists ' ~ strandline._staging(relation, name)) -%}
    {%- endfor -%}
{% endmacro %}

{#- Whether dbt's connection is a Spark session of its own, which can keep the rows of a query. -#}
{% macro _in_session() %}
    {{- return(adapter.type() == 'strandline' and target.method in ['session', 'connect']) -}}
{% endmacro %}

{#- Computes a query once and returns the name of its result. It is not a view: a view, even a
    cached one, adds its whole plan to each query that reads it. The result is a table beside the
    target table. With `type: strandline`, where each connection has its own session, it is a
    temporary view over rows cached by Spark, which takes a third of the time. -#}
{% macro _staged(relation, name, sql) %}
    {%- set table = strandline._staging(relation, name) -%}
    {%- if strandline._in_session() -%}
        {%- do adapter.stage_query(sql, table.identifier) -%}
        {{- return('`' ~ table.identifier ~ '`') -}}
    {%- endif -%}
    {%- do run_query('create or replace table ' ~ table ~ " using delta tblproperties ("
        ~ "'delta.columnMapping.mode' = 'name') as " ~ sql) -%}
    {{- return(table) -}}
{% endmacro %}

{#- The table for one step of a run. If a run crashes, the next run replaces the table. -#}
{% macro _staging(relation, name) %}
    {{- return(api.Relation.create(database=relation.database, schema=relation.schema,
        identifier=relation.identifier ~ '__' ~ name)) -}}
{% endmacro %}

{#- Drops the tables of a run's steps. Temporary views end with the session. -#}
{% macro _drop_staged(relation) %}
    {%- for name in ['found', 'classified', 'regrouped', 'notified', 'changes', 'events',
        'stays']
        if not strandline._in_session() -%}
        {%- do run_query('drop table if exists ' ~ strandline._staging(relation, name)) -%}
    {%- endfor -%}
{% endmacro %}

{#- Whether dbt's connection is its own Spark session, which can cache the rows of a query. -#}
{% macro _in_session() %}
    {{- return(adapter.type() == 'strandline' and target.method in ['session', 'connect']) -}}
{% endmacro %}

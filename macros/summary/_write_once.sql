{#- Writes rows under a token, which is taken out of the session again: left there, Delta would also pass
    over a later `create or replace` and report success. -#}
{% macro _write_once(relation, change, build) %}
    {%- set id, version = 'spark.databricks.delta.write.txnAppId', 'spark.databricks.delta.write.txnVersion' -%}
    {%- do run_query('set ' ~ id ~ ' = strandline-' ~ build) -%}
    {%- do run_query('set ' ~ version ~ ' = ' ~ change.token) -%}
    {%- do run_query(strandline._insert_rows(relation, change)) -%}
    {%- do run_query('reset ' ~ version) -%}
    {%- do run_query('reset ' ~ id) -%}
{% endmacro %}

{#- Writes rows in one commit. Two runs that start from the same state write under the same token, and
    Delta lets only one of them through: the other's write is passed over, and what it had
    to say is found by the next run. The token belongs to one build of the table. -#}
{% macro _write_rows(relation, change, properties) %}
    {%- set keys = ['spark.databricks.delta.write.txnAppId', 'spark.databricks.delta.write.txnVersion'] -%}
    {%- if change.token is not none -%}
        {%- do run_query('set ' ~ keys[0] ~ ' = strandline-' ~ properties['strandline.build']) -%}
        {%- do run_query('set ' ~ keys[1] ~ ' = ' ~ change.token) -%}
    {%- endif -%}
    {%- do run_query(strandline._insert_rows(relation, change)) -%}
    {%- if change.token is not none -%}
        {%- do run_query('reset ' ~ keys[1]) -%}
        {%- do run_query('reset ' ~ keys[0]) -%}
    {%- endif -%}
{% endmacro %}

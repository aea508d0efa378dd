{#- Takes the token of a write (see `_write_once`) out of the session. -#}
{% macro _without_token() %}
    {%- do run_query('reset spark.databricks.delta.write.txnVersion') -%}
    {%- do run_query('reset spark.databricks.delta.write.txnAppId') -%}
{% endmacro %}

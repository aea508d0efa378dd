{#- Takes the token of a write (see `_write_once`) out of the session: left there by a write that failed, of
    whatever table, it would let Delta pass over later writes and report success. -#}
{% macro _without_token() %}
    {%- do run_query('reset spark.databricks.delta.write.txnVersion') -%}
    {%- do run_query('reset spark.databricks.delta.write.txnAppId') -%}
{% endmacro %}

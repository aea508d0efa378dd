{#- Writes rows under a token, which is taken out of the session again. (As an option of the statement
    it is not honoured where the statement reads the table that it writes.) -#}
{% macro _write_once(relation, change, build) %}
    {%- if change.token is not none -%}
        {%- do run_query('set spark.databricks.delta.write.txnAppId = strandline-' ~ build) -%}
        {%- do run_query('set spark.databricks.delta.write.txnVersion = ' ~ change.token) -%}
    {%- endif -%}
    {%- do run_query(strandline._insert_rows(relation, change)) -%}
    {%- if change.token is not none -%}{%- do strandline._without_token() -%}{%- endif -%}
{% endmacro %}

{#- Runs a statement that writes under a token, which is taken out of the session again, and tells whether it wrote:
    Delta says nothing when it passes over a write, but it notes each commit in the session. (As an option of
    the statement the token is not honoured where the statement reads the table that it writes.) -#}
{% macro _write_once(statement, build, token) %}
    {%- set noted = 'spark.databricks.delta.lastCommitVersionInSession' -%}
    {%- do run_query('set spark.databricks.delta.write.txnAppId = strandline-' ~ build) -%}
    {%- do run_query('set spark.databricks.delta.write.txnVersion = ' ~ token) -%}
    {%- do run_query('reset ' ~ noted) -%}
    {%- do run_query(statement) -%}
    {%- do strandline._without_token() -%}
    {{- return((run_query('set ' ~ noted).rows[0][1] | string).isdigit()) -}}
{% endmacro %}

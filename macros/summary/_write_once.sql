{#- Writes rows (or runs the change's own statement) under a token, which is taken out of the session again, and tells whether they were
    written: Delta says nothing when it passes over a write, but it notes each commit in the session.
    (As an option of the statement the token is not honoured where the statement reads the table
    that it writes.) -#}
{% macro _write_once(relation, change, build) %}
    {%- set noted = 'spark.databricks.delta.lastCommitVersionInSession' -%}
    {%- if change.token is not none -%}
        {%- do run_query('set spark.databricks.delta.write.txnAppId = strandline-' ~ build) -%}
        {%- do run_query('set spark.databricks.delta.write.txnVersion = ' ~ change.token) -%}
        {%- do run_query('reset ' ~ noted) -%}
    {%- endif -%}
    {%- do run_query(change.statement or strandline._insert_rows(relation, change)) -%}
    {%- if change.token is none -%}{{- return(true) -}}{%- endif -%}
    {%- do strandline._without_token() -%}
    {{- return((run_query('set ' ~ noted).rows[0][1] | string).isdigit()) -}}
{% endmacro %}

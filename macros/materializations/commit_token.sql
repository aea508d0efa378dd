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

{#- Takes out of the session what a write that failed, of whatever table, may have left there: under its token Delta
    would pass over later writes and report success. Our own adapter leaves none. -#}
{% macro _without_old_token() %}
    {%- if adapter.type() != 'strandline' -%}{%- do strandline._without_token() -%}{%- endif -%}
{% endmacro %}

{#- Takes the token of a write (see `_write_once`) out of the session. -#}
{% macro _without_token() %}
    {%- do run_query('reset spark.databricks.delta.write.txnVersion') -%}
    {%- do run_query('reset spark.databricks.delta.write.txnAppId') -%}
{% endmacro %}

{#- The newest version of a Delta table. -#}
{% macro _version_of(relation) %}
    {{- return(run_query('describe history ' ~ relation ~ ' limit 1').rows[0][0] | int) -}}
{% endmacro %}

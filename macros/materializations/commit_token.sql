{#- Runs a write under a Delta transaction token, clears the token, and returns whether the
    statement committed. Delta reports no error when it skips a write, but it stores the version of
    each commit in the session. (The token must be set in the session: as an option of the statement
    it is ignored if the statement reads the table that it writes.) -#}
{% macro _write_once(statement, build, token) %}
    {%- set last_commit = 'spark.databricks.delta.lastCommitVersionInSession' -%}
    {%- do run_query('set spark.databricks.delta.write.txnAppId = strandline-' ~ build) -%}
    {%- do run_query('set spark.databricks.delta.write.txnVersion = ' ~ token) -%}
    {%- do run_query('reset ' ~ last_commit) -%}
    {%- do run_query(statement) -%}
    {%- do strandline._clear_token() -%}
    {{- return((run_query('set ' ~ last_commit).rows[0][1] | string).isdigit()) -}}
{% endmacro %}

{#- Clears a token that a failed write, of whatever table, may have left in the session: with it
    Delta would skip later writes and report success. Our own adapter leaves none. -#}
{% macro _clear_stale_token() %}
    {%- if adapter.type() != 'strandline' -%}{%- do strandline._clear_token() -%}{%- endif -%}
{% endmacro %}

{#- Clears the token of a write (see `_write_once`) from the session. -#}
{% macro _clear_token() %}
    {%- do run_query('reset spark.databricks.delta.write.txnVersion') -%}
    {%- do run_query('reset spark.databricks.delta.write.txnAppId') -%}
{% endmacro %}

{#- The latest version of a Delta table. -#}
{% macro _version_of(relation) %}
    {{- return(run_query('describe history ' ~ relation ~ ' limit 1').rows[0][0] | int) -}}
{% endmacro %}

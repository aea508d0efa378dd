{#- Runs a write under Delta's transaction token, clears the token, and returns whether the
    statement committed. The token is the version of the table that the write follows, plus one: of
    the writes that follow one version, a replacement of the table among them, Delta accepts only
    the first. Delta reports no error when it skips a write, but it stores the version of each
    commit in the session. (The token must be set in the session: as an option of the statement it
    is ignored if the statement reads the table that it writes.) -#}
{% macro _write_once(statement, version) %}
    {%- set last_commit = 'spark.databricks.delta.lastCommitVersionInSession' -%}
    {%- do run_query('set spark.databricks.delta.write.txnAppId = strandline') -%}
    {%- do run_query('set spark.databricks.delta.write.txnVersion = ' ~ (version + 1)) -%}
    {%- do run_query('reset ' ~ last_commit) -%}
    {%- do run_query(statement) -%}
    {%- do strandline._clear_token() -%}
    {{- return((run_query('set ' ~ last_commit).rows[0][1] | string).isdigit()) -}}
{% endmacro %}

{#- Creates a table whose runs write with `_write_once`, or replaces it under the same token: a run
    that began with the old table does not write into the new one. Its version is read last, since
    a build may take an hour and other runs may write until then. -#}
{% macro _create_once(run, sql) %}
    {%- if run.existing is none or not run.existing.is_delta -%}
        {%- do strandline._create(run, sql) -%}
    {%- elif strandline._write_once(sql, strandline._version_of(this)) -%}
        {%- call noop_statement('main', message='replaced') -%}{%- endcall -%}
    {%- else -%}
        {%- do strandline._refuse(model.name, ["another run has written to this table since this "
            ~ "run began to replace it; nothing was written; run it again"]) -%}
    {%- endif -%}
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

{#- The statement that creates or replaces an incremental table from its body. The task and the
    materialization's own properties are stored in the same commit. -#}
{% macro _create_table(relation, task, body, own_properties) %}
    {%- do strandline._check_contract(body) -%}
    {%- set properties = {'strandline.task': strandline._property_json(
        strandline._compared_task(task))} -%}
    {%- do properties.update(strandline._column_mapping(
        strandline._query_columns(body) | map(attribute='name') | list)) -%}
    {%- do properties.update(own_properties) -%}
    {%- do properties.update(config.get('tblproperties') or {}) -%}
create or replace table {{ relation }}
using delta
tblproperties (
    {%- for name, value in properties.items() %}
    {{ strandline._quoted_literal(name) }}
        = {{ strandline._quoted_literal(value) }}{{ ',' if not loop.last }}
    {%- endfor %}
)
{{ partition_cols(label='partitioned by') }}
{{ location_clause() }}
{{ strandline._comment() }}
as
{{ body }}
{%- endmacro %}

{#- The columns of a query, as a list of `name` and `type`. Spark analyses it and runs nothing. -#}
{% macro _query_columns(query) %}
    {%- set columns = [] -%}
    {%- for row in run_query('describe query ' ~ query).rows -%}
        {%- do columns.append({'name': row[0], 'type': row[1]}) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{#- The property by which Delta accepts every column name: without it, Delta refuses a name that
    contains a blank or one of ,;{}()= and line breaks. Delta sets the protocol by itself. A table
    without such a name does not get the property, so that more readers can read it. -#}
{% macro _column_mapping(names) %}
    {%- for name in names if modules.re.search('[ ,;{}()\n\t=]', name) -%}
        {{- return({'delta.columnMapping.mode': 'name'}) -}}
    {%- endfor -%}
    {{- return({}) -}}
{% endmacro %}

{#- The clause of the table's comment, which is the model's description; empty unless `persist_docs`
    requires it. -#}
{% macro _comment() %}
    {%- set persists = config.get('persist_docs') or {} -%}
    {%- if persists is mapping and persists.get('relation') and model.description -%}
        {{- 'comment ' ~ strandline._quoted_literal(model.description) -}}
    {%- endif -%}
{% endmacro %}

{#- A value as JSON for a table property. If a text contains url, token, password, secret or access
    key, Spark treats it as a secret and shows asterisks instead, also to the run that reads it.
    Therefore the last letter of such a word is written as a JSON escape. -#}
{% macro _property_json(value) %}
    {%- set json = namespace(text=tojson(value)) -%}
    {%- for stem, letter, code in [('ur', 'l', '6c'), ('toke', 'n', '6e'), ('passwor', 'd', '64'),
        ('secre', 't', '74'), ('access[.]?ke', 'y', '79')] -%}
        {%- set json.text = modules.re.sub('((?i:' ~ stem ~ '))' ~ letter, '\\g<1>\\\\u00' ~ code,
            json.text) -%}
        {%- set upper = {'6c': '4c', '6e': '4e', '64': '44', '74': '54', '79': '59'}[code] -%}
        {%- set json.text = modules.re.sub('((?i:' ~ stem ~ '))' ~ letter | upper,
            '\\g<1>\\\\u00' ~ upper, json.text) -%}
    {%- endfor -%}
    {{- return(json.text) -}}
{% endmacro %}

{#- All properties of a Delta table. -#}
{% macro _properties_of(relation) %}
    {%- set properties = {} -%}
    {%- for row in run_query('show tblproperties ' ~ relation).rows -%}
        {%- do properties.update({row[0]: row[1]}) -%}
    {%- endfor -%}
    {{- return(properties) -}}
{% endmacro %}

{#- The later one of a stored horizon and that of another table of the aggregation, if it has one.
    `strandline purge` stores its horizon in one table after the other, and may be killed
    between. -#}
{% macro _later_horizon(own, relation) %}
    {%- set other = strandline._properties_of(relation).get('strandline.purged_before')
        if relation else none -%}
    {{- return([own or '', other or ''] | max or none) -}}
{% endmacro %}

{#- Sets properties of a table, in a commit of their own. -#}
{% macro _set_properties(relation, properties) %}
    {%- set pairs = [] -%}
    {%- for name, value in properties.items() -%}
        {%- do pairs.append(strandline._quoted_literal(name) ~ ' = '
            ~ strandline._quoted_literal(value)) -%}
    {%- endfor -%}
    {%- do run_query('alter table ' ~ relation ~ ' set tblproperties (' ~ pairs | join(', ')
        ~ ')') -%}
{% endmacro %}

{#- Whether a run may change settings of its session. A SQL warehouse of Databricks refuses `set`
    and `reset` of the settings that writes use. Nothing else decides which statements a run
    has. -#}
{% macro _takes_settings() %}
    {%- set given = strandline._run_setting('strandline_session_settings') -%}
    {%- set text = given | string | lower if given is not none else 'true' -%}
    {%- if text not in ['true', 'false'] -%}
        {%- do strandline._refuse(model.name, ["the var strandline_session_settings is '" ~ given
            ~ "'; write false where Spark refuses `set` and `reset`, or leave it out "
            ~ "(docs/profiles.md)"]) -%}
    {%- endif -%}
    {{- return(text == 'true') -}}
{% endmacro %}

{#- The state of a table that a write of `_write_once` follows: its version. Without settings of the
    session it is a hash of the names of the files that have the rows of `condition`. Each commit of
    ours must write such a row, so that it is in a new file. -#}
{% macro _state_of(relation, condition='true') %}
    {%- if strandline._takes_settings() -%}
        {{- return({'version': strandline._version_of(relation)}) -}}
    {%- endif -%}
    {%- if '_metadata' in strandline._types_of(relation) -%}
        {%- do strandline._refuse(model.name, ["the table has the column '_metadata', which hides "
            ~ "the names of its files; without session settings a run sees by these names whether "
            ~ "another run has written: rename the column in a staging model, and rebuild the "
            ~ "table"]) -%}
    {%- endif -%}
    {{- return({'version': none, 'condition': condition,
        'files': run_query(strandline._files_of(relation, condition)).rows[0][0]}) -}}
{% endmacro %}

{#- The hash of the names of the files that have the rows of `condition`, as a query. -#}
{% macro _files_of(relation, condition) -%}
select md5(array_join(array_sort(collect_set(__file)), ' ')) as __files
from (select *, _metadata.file_name as __file from {{ relation }})
where {{ condition }}
{%- endmacro %}

{#- Rows to write. Without settings of the session they have a check: the statement fails if the
    table has another state than the one that the run read. Two simultaneous commits are left to
    Delta's conflict check: each reads the files that the other replaces. (The check is a join: in a
    `merge`, Spark does not resolve the names of files in a scalar subquery.) -#}
{% macro _checked_rows(relation, rows, state) -%}
{%- if state.version is not none -%}
{{ rows }}
{%- else -%}
{%- set message = relation.identifier ~ ": another run has written to this table since this run "
    ~ "read it; nothing was written; run it again" -%}
select __rows.*
from (
{{ rows }}
) as __rows
cross join (
    select if(__files = {{ strandline._literal(state.files) }}, true,
        cast(raise_error({{ strandline._literal(message) }}) as boolean)) as __is_unchanged
    from (
{{ strandline._files_of(relation, state.condition) }}
    )
) as __check
where __check.__is_unchanged
{%- endif -%}
{%- endmacro %}

{#- Runs a write under Delta's transaction token, clears the token, and returns whether the
    statement committed. The token is the version of the table that the write follows, plus one: of
    the writes that follow one version, a replacement of the table among them, Delta accepts only
    the first. Delta reports no error when it skips a write, but it stores the version of each
    commit in the session. (The token must be set in the session: as an option of the statement it
    is ignored if the statement reads the table that it writes.) Without settings of the session
    the rows of the statement are those of `_checked_rows`: it fails instead of being skipped. -#}
{% macro _write_once(statement, state) %}
    {%- if state.version is none -%}
        {%- do run_query(statement) -%}
        {{- return(true) -}}
    {%- endif -%}
    {%- set last_commit = 'spark.databricks.delta.lastCommitVersionInSession' -%}
    {%- do run_query('set spark.databricks.delta.write.txnAppId = strandline') -%}
    {%- do run_query('set spark.databricks.delta.write.txnVersion = ' ~ (state.version + 1)) -%}
    {%- do run_query('reset ' ~ last_commit) -%}
    {%- do run_query(statement) -%}
    {%- do strandline._clear_token() -%}
    {{- return((run_query('set ' ~ last_commit).rows[0][1] | string).isdigit()) -}}
{% endmacro %}

{#- Creates a table whose runs write with `_write_once`, or replaces it under the same token: a run
    that began with the old table does not write into the new one. Its version is read last, since
    a build may take an hour and other runs may write until then. Without settings of the session
    there is no token: Delta's conflict check alone excludes commits of others while the statement
    runs. -#}
{% macro _create_once(run, sql) %}
    {%- if run.existing is none or not run.existing.is_delta or not strandline._takes_settings() -%}
        {%- do strandline._create(run, sql) -%}
    {%- elif strandline._write_once(sql, strandline._state_of(this)) -%}
        {%- call noop_statement('main', message='replaced') -%}{%- endcall -%}
    {%- else -%}
        {%- do strandline._refuse(model.name, ["another run has written to this table since this "
            ~ "run began to replace it; nothing was written; run it again"]) -%}
    {%- endif -%}
{% endmacro %}

{#- Clears a token that a failed write, of whatever table, may have left in the session: with it
    Delta would skip later writes and report success. Our own adapter leaves none, and without
    settings of the session none was set. -#}
{% macro _clear_stale_token() %}
    {%- if strandline._takes_settings() and adapter.type() != 'strandline' -%}
        {%- do strandline._clear_token() -%}
    {%- endif -%}
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

{#- The watermark of a table: the greatest arrival in its own rows, as an expression for
    comparisons; none while the table is empty. Delta answers a bare `max` from the file statistics,
    but reads all rows for a `max` inside another expression. The condition keeps Spark from merging
    the two queries into one. -#}
{% macro _watermark(relation, column='agg_arrival') %}
    {%- set rows = run_query("select " ~ strandline._exact_text('arrival')
        ~ ", typeof(arrival) from (select max(" ~ column
        ~ ") as arrival from " ~ relation ~ ") where arrival is not null").rows -%}
    {{- return(strandline._typed_literal(rows[0][0], rows[0][1]) if rows else none) -}}
{% endmacro %}

{#- Whether an event or a point is above the watermark; none without a watermark. One without an
    arrival also passes, so that it fails the run. -#}
{% macro _is_new(task, watermark) %}
    {%- set arrival = '__upstream.' ~ strandline._quoted(task.arrival) -%}
    {{- return('(' ~ arrival ~ ' > ' ~ watermark ~ ' or ' ~ arrival ~ ' is null)' if watermark
        else none) -}}
{% endmacro %}

{#- Fails the statement if another run has committed rows above the watermark that this run read:
    the change was computed without these rows. Files whose statistics show no later arrival are
    skipped. Two simultaneous commits are left to Delta's conflict check: each reads what the other
    replaces. -#}
{% macro _assert_no_concurrent_write(relation, watermark, column='agg_arrival') -%}
    {%- set message = relation.identifier
        ~ ": another run has written to this table since this run read its watermark; nothing was "
        ~ "written; run it again" -%}
    coalesce((
        select cast(raise_error({{ strandline._literal(message) }}) as boolean)
        from {{ relation }}
        where {{ column }} {{ '> ' ~ watermark if watermark else 'is not null' }}
        limit 1
    ), true)
{%- endmacro %}

{#- The steps that the materializations of incremental tables share. Each materialization computes
    its own change between `_begin_run` and `_finish_run`, and writes it with `_create` or
    `_write_change`. The task is stored with the table. A run never writes to a table that was built
    with a different task. A run is skipped if its inputs are those of the last run.

    `rows_read` is a macro (relation, task, properties) of a table that has the columns of its
    source: which rows of the source the table has read, as a condition, or none. `compared` is the
    body to compare with that of the last run, if it is not `compiled`. -#}
{% macro _begin_run(compiled, uses_clock=false, rows_read=none, compared=none) %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set is_new = existing is none or should_full_refresh() or not existing.is_table -%}
    {%- set inputs = strandline._inputs(compared or compiled, is_new, uses_clock) -%}
    {%- if inputs.is_unchanged -%}
        {%- do strandline._check_contract('select * from ' ~ this) -%}
        {{- return({'is_unchanged': true}) -}}
    {%- endif -%}
    {%- set task = strandline._read_task(compiled) -%}
    {%- do strandline._check_file_format() -%}
    {%- do strandline._clear_stale_token() -%}
    {%- set properties = {} if is_new else strandline._properties_of(this) -%}
    {%- if not is_new -%}
        {%- do strandline._check_configuration(this, task, properties, rows_read) -%}
        {%- do strandline._check_contract('select * from ' ~ this) -%}
    {%- endif -%}
    {%- do run_hooks(pre_hooks) -%}
    {{- return({'task': task, 'existing': existing, 'is_new': is_new, 'properties': properties,
        'note': inputs.note}) -}}
{% endmacro %}

{#- Fails if a table would be anything but a Delta table. -#}
{% macro _check_file_format() %}
    {%- set given = config.get('file_format') or 'delta' -%}
    {%- if given != 'delta' -%}
        {%- do strandline._refuse(model.name, ["`file_format` is '" ~ given ~ "', and this table "
            ~ "can only be a Delta table: its runs need `replace where` and Delta's record of "
            ~ "commits; write `+file_format: delta` for its folder in dbt_project.yml, or leave "
            ~ "it out. What it reads may have any format"]) -%}
    {%- endif -%}
{% endmacro %}

{#- Creates or replaces the table by a statement of `_create_table`. Drops a view of the same name
    first. -#}
{% macro _create(run, sql) %}
    {%- if run.existing is not none and not run.existing.is_table -%}
        {%- do adapter.drop_relation(run.existing) -%}
    {%- endif -%}
    {%- call statement('main') -%}{{ sql }}{%- endcall -%}
{% endmacro %}

{#- Writes a change and reports it as the model's message. A change is none or a mapping. Its `sql`
    gives the rows: with `partitions` they replace the rows of these partitions, which `is_replaced`
    selects, otherwise they are appended. `watermark` is the greatest value of `column` (default
    agg_arrival) when the change was computed. `properties` are set on the table after its rows are
    written. The setting makes Delta replace whole files of the partitions; its default is to delete
    and insert rows, which gives the same rows. -#}
{% macro _write_change(relation, change) %}
    {%- if change is none -%}
        {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set message = 'read, nothing late' -%}
    {%- if change.partitions -%}
        {%- set setting = 'spark.databricks.delta.replaceWhere.dataColumns.enabled' -%}
        {%- set takes_settings = strandline._takes_settings() -%}
        {%- if takes_settings -%}{%- do run_query('set ' ~ setting ~ ' = false') -%}{%- endif -%}
        {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- if takes_settings -%}{%- do run_query('reset ' ~ setting) -%}{%- endif -%}
        {%- set message = 'rewrote ' ~ change.partitions | length
            ~ (' partition' if change.partitions | length == 1 else ' partitions')
            ~ ', from ' ~ change.partitions[0] -%}
    {%- elif change.sql -%}
        {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- set message = 'added rows' -%}
    {%- elif change.late and not change.properties -%}
        {%- set message = 'nothing new' -%}
    {%- endif -%}
    {%- if change.late and change.late.count -%}
        {%- set message = message ~ '; ' ~ strandline._late_message(change.late) -%}
    {%- endif -%}
    {%- if change.properties -%}
        {%- do strandline._set_properties(relation, change.properties) -%}
    {%- endif -%}
    {%- call noop_statement('main', message=message,
        rows_affected=none if change.sql else 0) -%}{%- endcall -%}
    {%- if change.late -%}
        {%- do strandline._warn_if_all_late(relation, change.late) -%}
    {%- endif -%}
{% endmacro %}

{#- One commit that replaces the rows of some partitions, or appends rows. -#}
{% macro _insert_rows(relation, change) -%}
insert into {{ relation }}
{%- if change.partitions %}
replace where {{ change.is_replaced }}{% endif %}
select * from (
{{ change.sql }}
)
where {{ strandline._assert_no_concurrent_write(relation, change.watermark,
    change.column or 'agg_arrival') }}
{%- endmacro %}

{#- Applies grants, descriptions and hooks; returns what a materialization must return. -#}
{% macro _finish_run(run) %}
    {%- do apply_grants(this, config.get('grants'),
        should_revoke(run.existing, full_refresh_mode=true)) -%}
    {%- do persist_docs(this, model) -%}
    {%- do run_hooks(post_hooks) -%}
    {%- if run.note -%}{%- do adapter.note_run(this | string, run.note) -%}{%- endif -%}
    {{- return({'relations': [this.incorporate(type='table')]}) -}}
{% endmacro %}

{#- The first line of the body of an incremental model: the task of its materialization, as JSON. It
    is an SQL comment. Spark substitutes `${…}` in comments too, so it is escaped. -#}
{% macro _task_line(task) %}
    {{- return('-- strandline: ' ~ tojson(task).replace('${', '\\u0024{')) -}}
{% endmacro %}

{#- The format of a table, for its `config`: delta, or what the files of the project set for the
    model, so that the run can refuse it (`_check_file_format`). They are seen while dbt parses: a
    `config` of a model hides them. -#}
{% macro _file_format() %}
    {%- set set_by_project = (model.config | default({})) if model is defined else {} -%}
    {{- return(set_by_project.get('file_format') or 'delta') -}}
{% endmacro %}

{#- Reads the task from the first line of the compiled body. -#}
{% macro _read_task(compiled) %}
    {%- set line = (compiled | trim).split('\n')[0] -%}
    {%- if not line.startswith('-- strandline: ') -%}
        {%- do strandline._refuse(config.get('materialized') ~ ' in ' ~ model.name,
            ["the model's body must be one call, such as {{ "
            ~ "strandline.aggregation_table(my_aggregation(), 'seconds') }}, and "
            ~ "nothing before it"]) -%}
    {%- endif -%}
    {{- return(fromjson(line[15:])) -}}
{% endmacro %}

{#- Into how many tasks a first build spreads each partition of its table, so that none reads much
    more than a gigabyte, as stored. `chosen` is of `_chosen_width`. -#}
{% macro _splits(source, chosen) %}
    {%- if chosen.days is none -%}{{- return(1) -}}{%- endif -%}
    {%- set partitions = [chosen.days / strandline._partition_unit(chosen.width).days, 1] | max -%}
    {%- set plan = run_query('explain cost select * from ' ~ source).rows[0][0] -%}
    {%- set units = {'B': 1, 'KiB': 2 ** 10, 'MiB': 2 ** 20, 'GiB': 2 ** 30, 'TiB': 2 ** 40,
        'PiB': 2 ** 50, 'EiB': 2 ** 60} -%}
    {%- set sizes = [] -%}
    {#- Those of the tables: Spark estimates what a join gives far too high. -#}
    {%- for number, unit in modules.re.findall(
        '\\bRelation [^\\n]*sizeInBytes=([0-9.]+) ([KMGTPE]?i?B)', plan) -%}
        {%- do sizes.append((number | float) * units[unit]) -%}
    {%- endfor -%}
    {{- return([[(sizes | sum / partitions / 2 ** 30) | round(0, 'ceil') | int, 1] | max, 256]
        | min) -}}
{% endmacro %}

{#- By what a first build distributes its rows: by partition, so that a file is written once, and in
    large partitions by the hash of the group, too. The group has the same expressions, so nothing
    is distributed twice. -#}
{% macro _spread(partition, group, splits) %}
    {%- set split = [] if splits == 1
        else ['pmod(xxhash64(' ~ group | join(', ') ~ '), ' ~ splits ~ ')'] -%}
    {{- return([partition] + split) -}}
{% endmacro %}

{#- What a run would read, and whether the last run of the model read the same: then it is skipped.
    See `inputs_of_run` of our adapter. Through another adapter every model runs. -#}
{% macro _inputs(compiled, is_new, uses_clock) %}
    {%- set skips = (config.get('meta') or {}).get('skip_unchanged', true) -%}
    {%- if skips is not boolean -%}
        {%- do strandline._refuse(model.name, ["`skip_unchanged` in `meta` is '" ~ skips
            ~ "'; write false to run the model even if nothing that it reads has changed, or leave "
            ~ "it out"]) -%}
    {%- endif -%}
    {%- if not skips or not strandline._in_session() -%}
        {{- return({'note': none, 'is_unchanged': false}) -}}
    {%- endif -%}
    {%- set settings = [] -%}
    {%- for name in ['strandline_from', 'strandline_to'] + (['strandline_as_of'] if uses_clock else
        []) -%}
        {%- do settings.append(strandline._run_setting(name) | string) -%}
    {%- endfor -%}
    {{- return(inputs_of_run(compiled, is_new, settings)) -}}
{% endmacro %}

{#- The materialization of a window. A run reads the new events, moves the clock, and writes in one
    commit: the open rows replace those of the table, and the rows that left are appended. The row
    of kind `clock` holds the watermark and the clock. -#}
{% materialization strandline_window, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code, uses_clock=true) -%}
    {%- if begun.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task = begun.task -%}
    {%- set version = none if begun.is_new else strandline._version_of(this) -%}
    {%- set run = strandline._window_run(this, task, begun.is_new) -%}
    {%- if run is none -%}
        {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- if not task.status -%}{%- do strandline._warn_of_jump(this, task, run) -%}{%- endif -%}
        {%- do strandline._stage_window(this, task, run) -%}
        {%- set rows = strandline._window_rows(task, run) -%}
        {%- do strandline._write_window(begun, task, rows, run.depth, version,
            'entered.at,expelled.at,entry') -%}
        {%- do strandline._drop_staged(this) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- Creates the table, or replaces its open rows, in one commit. `indexed` are the columns of which
    Delta keeps statistics. Two runs that start from the same version, read before anything else,
    write with the same token, and Delta accepts only one. The setting makes Delta accept rows of
    other partitions beside the one that is replaced. -#}
{% macro _write_window(begun, task, rows, depth, version, indexed) %}
    {%- if begun.is_new -%}
        {#- Behind aggregates the columns of an event are in a struct. -#}
        {%- do strandline._create_once(begun, strandline._create_table(this, task, rows,
            dict(strandline._column_mapping(task.get('columns', [])),
                **{'strandline.build': invocation_id, 'strandline.depth': depth,
                    'delta.dataSkippingStatsColumns': indexed}))) -%}
    {%- else -%}
        {%- set setting = 'spark.databricks.delta.replaceWhere.constraintCheck.enabled' -%}
        {%- do run_query('set ' ~ setting ~ ' = false') -%}
        {%- set written = strandline._write_once('insert into ' ~ this
            ~ " replace where window_part = 'open' " ~ rows, version) -%}
        {%- do run_query('reset ' ~ setting) -%}
        {%- if not written -%}{%- do begun.update({'note': none}) -%}{%- endif -%}
        {%- call noop_statement('main', message='wrote rows' if written
            else 'left to the next run: another run has written') -%}{%- endcall -%}
    {%- endif -%}
{% endmacro %}

{#- Stages what several statements of a run read: the events of a folded window and of one with
    `weight`, the folded rows, and the stays behind aggregates. -#}
{% macro _stage_window(relation, task, run) %}
    {%- set is_folded = strandline._is_folded(task.store) -%}
    {%- if is_folded and not strandline._in_session() -%}
        {%- do strandline._refuse('window_table of ' ~ model.name, ["this `store` is computed "
            ~ "row after row in the driver's session, and the connection is not of type "
            ~ "strandline with method session or connect; take such a profile (docs/windows.md)"
            ]) -%}
    {%- endif -%}
    {%- if is_folded or strandline._is_weighed(task) -%}
        {%- do run.update({'staged': strandline._staged(relation, 'events', 'with '
            ~ strandline._window_events(task, run) ~ ' select * from __events')}) -%}
    {%- endif -%}
    {%- if is_folded -%}
        {%- set folded = strandline._staging(relation, 'folded').identifier -%}
        {%- do adapter.fold_query(strandline._fold_input(task, run), folded, tojson({
            'kind': 'last' if task.store.kind == 'sliding' else task.store.kind,
            'keys': task['keys'], 'clock': run.now, 'every': task.every,
            'depth': run.depth, 'grouped': task.update_group | length > 0})) -%}
        {%- do run.update({'folded': '`' ~ folded ~ '`'}) -%}
    {%- endif -%}
    {%- if task.aggregates -%}
        {%- do run.update({'stays': strandline._staged(relation, 'stays', 'with '
            ~ strandline._window_events(task, run) ~ ',\n\n' ~ strandline._stays(task, run)
            ~ ' select * from __stays')}) -%}
    {%- endif -%}
{% endmacro %}

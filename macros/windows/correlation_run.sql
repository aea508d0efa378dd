{#- The materialization of a correlation. A run reads its windows up to the frontier, and writes in
    one commit what has fired and what it needs to know of the ids that are in a window. -#}
{% materialization strandline_correlation, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code, uses_clock=true) -%}
    {%- if begun.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task = begun.task -%}
    {%- set version = none if begun.is_new else strandline._version_of(this) -%}
    {%- set run = strandline._correlation_run(this, task, begun.is_new) -%}
    {%- if run is none -%}
        {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- do run.update({'changes': strandline._staged(this, 'changes',
            strandline._correlation_changes(task, run))}) -%}
        {%- set rows = strandline._correlation_rows(task, run) -%}
        {%- do strandline._write_window(begun, task, rows, run.depth, version,
            'entered.at,entry') -%}
        {%- do strandline._drop_staged(this) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- The parameters of a run: the watermark (what the table has read), and `now`, the frontier up to
    which all windows are complete: the earliest of their clocks, with the arrival number there.
    `correlations` are the places of the streams that are correlations. None if the frontier has not
    moved. -#}
{% macro _correlation_run(relation, task, is_new) %}
    {%- set windows = strandline._window_progress_of(task.upstream.values() | list) -%}
    {%- set builds = windows | map(attribute='build') | join(',') -%}
    {%- set reached = [] -%}
    {%- for window in windows -%}
        {%- do reached.append([-9000000000000000000 if window.clock is none else window.clock,
            window.arrival]) -%}
    {%- endfor -%}
    {%- set now = reached | min -%}
    {%- set correlations = [] -%}
    {%- for window in windows -%}
        {%- if window.kind == 'correlation' -%}
            {%- do correlations.append(loop.index0) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set run = {'stored': relation | string, 'watermark': none, 'builds': builds,
        'correlations': correlations, 'now': {'clock': now[0], 'arrival': now[1]},
        'depth': windows | map(attribute='depth') | max} -%}
    {%- if not is_new -%}
        {%- set row = run_query("select window_progress.clock, window_progress.arrival, "
            ~ "window_progress.builds from " ~ relation
            ~ " where window_part = 'open' and row_kind = 'clock'").rows[0] -%}
        {%- do run.update({'watermark': {'clock': row[0] | int, 'arrival': row[1] | int}}) -%}
        {%- do strandline._check_builds(task.streams | map(attribute='name') | list, row[2],
            builds) -%}
    {%- endif -%}
    {{- return(none if run.watermark == run.now else run) -}}
{% endmacro %}

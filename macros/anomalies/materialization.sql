{#- The materialization of a table of anomalies. The first build and a full refresh create it. Every
    other run merges the rows that differ in one commit, or writes nothing. The watermark, up to
    which scheduled runs have analysed, is a property of the table, and so is the task: if the task
    differs, the run fails. -#}
{% materialization strandline_anomalies, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code, uses_clock=true) -%}
    {%- if begun.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task, properties = begun.task, begun.properties -%}
    {%- set watermark = properties.get('strandline.watermark') -%}
    {%- set run = strandline._anomaly_run(task,
        none if watermark is none else strandline._text_micros(watermark)) -%}

    {%- if begun.is_new -%}
        {%- set nothing = strandline._no_anomalies(task) -%}
        {%- set changes = none if run is none
            else strandline._staged_changes(this, task, run, nothing) -%}
        {%- do task.settings.update({'watermark': none if run is none else run.watermark}) -%}
        {%- do strandline._create_once(begun,
            strandline._create_anomalies(this, task, changes or '(' ~ nothing ~ ')')) -%}
    {%- elif run is none -%}
        {%- call noop_statement('main', message='no new interval',
            rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- set version = strandline._version_of(this) -%}
        {%- set changes = strandline._staged_changes(this, task, run, 'select * from ' ~ this) -%}
        {%- set written = strandline._write_anomalies(this, task, run, changes, version) -%}
        {%- if written.startswith('left') -%}{%- do begun.update({'note': none}) -%}{%- endif -%}
        {%- call noop_statement('main', message=written) -%}{%- endcall -%}
    {%- endif -%}
    {%- if run is not none -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- The properties of a new table of anomalies: the watermark, and statistics of the columns by
    which runs find rows. -#}
{% macro _anomalies_properties(task) %}
    {%- set properties = {'delta.dataSkippingStatsColumns': 'starts_at,ends_at'} -%}
    {%- if task.settings.watermark is not none -%}
        {%- do properties.update({'strandline.watermark': strandline._micros_text(
            task.settings.watermark)}) -%}
    {%- endif -%}
    {{- return(properties) -}}
{% endmacro %}

{#- The first build and a full refresh: the rows of a first run and its watermark in one commit. -#}
{% macro _create_anomalies(relation, task, changes) %}
    {%- set rows = strandline._written_anomalies(task, changes) ~ ' distribute by ends_month' -%}
    {{- return(strandline._create_table(relation, task, rows,
        strandline._anomalies_properties(task))) -}}
{% endmacro %}

{#- Writes the changes of a run in one commit, or in none if nothing differs; returns the model's
    message. Two runs that start from the same version of the table write with the same token, and
    Delta accepts only one. The watermark follows in a separate commit, only if it moves: it may be
    behind the rows, but never ahead. -#}
{% macro _write_anomalies(relation, task, run, changes, version) %}
    {%- set moves = run.watermark != run.previous_watermark -%}
    {%- set found = run_query('select count(*), unix_micros(coalesce(min(old_ends_at), '
        ~ 'max(ends_at))), unix_micros(coalesce(max(old_ends_at), max(ends_at))) from '
        ~ changes).rows[0] if changes is not none else [0] -%}
    {%- if found[0] -%}
        {%- set merge = strandline._merge_anomalies(relation, task, changes, found[1] | int,
            found[2] | int) -%}
        {%- set written = strandline._write_once(merge, version) -%}
        {%- if not written -%}
            {{- return('left to the next run: another run has written') -}}
        {%- endif -%}
    {%- endif -%}
    {%- if moves -%}
        {%- do strandline._set_properties(relation,
            {'strandline.watermark': strandline._micros_text(run.watermark)}) -%}
    {%- endif -%}
    {{- return('wrote ' ~ found[0] | int ~ (' row' if found[0] == 1 else ' rows') if found[0]
        else 'nothing new') -}}
{% endmacro %}

{#- One commit that writes the changed rows. Delta skips files by the literal bounds, which are the
    stored ends of these rows. -#}
{% macro _merge_anomalies(relation, task, changes, earliest, latest) %}
merge into {{ relation }} as kept
using ({{ strandline._written_anomalies(task, changes) }}) as changed
on kept.anomaly_id = changed.anomaly_id
    and kept.ends_at >= {{ strandline._micros_time(earliest) }}
    and kept.ends_at <= {{ strandline._micros_time(latest) }}
when matched then update set *
when not matched then insert *
{%- endmacro %}

{#- Rows as they are written, with the month of their end as the partition. A run rewrites the files
    of the rows that it changes. Without partitions, old rows would accumulate in the newest
    file. -#}
{% macro _written_anomalies(task, changes) %}
    {%- set month = strandline._partition_of('ends_at', task.partition, 'UTC') -%}
    {{- return('select ' ~ strandline._anomaly_columns(task['keys']) | join(', ') ~ ', ' ~ month
        ~ ' as ends_month from ' ~ changes) -}}
{% endmacro %}

{#- Classifies, merges groups and notifies, with each step computed once. Returns the staged rows to
    write, or none if nothing has changed and no notification is due. -#}
{% macro _staged_changes(relation, task, run, stored) %}
    {%- set classified = strandline._staged(relation, 'classified',
        strandline._classified(task, run, stored)) -%}
    {%- set summary = strandline._classified_summary(task, run, stored, classified) -%}
    {%- if not summary.rows and not summary.pending -%}{{- return(none) -}}{%- endif -%}
    {%- set regrouped = strandline._staged(relation, 'regrouped',
        strandline._merge_groups(task, run, stored, classified, summary)) -%}
    {%- set notified = strandline._staged(relation, 'notified',
        strandline._notified_incidents(task, run, stored, regrouped)) -%}
    {{- return(strandline._staged(relation, 'changes',
        strandline._changes(task, run, classified, regrouped, notified))) -}}
{% endmacro %}

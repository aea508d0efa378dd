{#- The materialization of a table of anomalies. The first build, and a full refresh, create it;
    every other run merges the rows that differ, in one commit, or writes nothing. How far scheduled
    runs have analysed, the mark, is a property of the table, as is the task: under another one it
    is never written into. -#}
{% materialization strandline_anomalies, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code) -%}
    {%- set task, properties = begun.task, begun.properties -%}
    {%- set mark = properties.get('strandline.watermark') -%}
    {%- set run = strandline._anomaly_run(task, none if mark is none else strandline._text_micros(mark)) -%}

    {%- if begun.is_new -%}
        {%- set nothing = strandline._no_anomalies(task) -%}
        {%- set changes = none if run is none else strandline._staged_changes(this, task, run, nothing) -%}
        {%- do task.settings.update({'mark': none if run is none else run.mark}) -%}
        {%- do strandline._create(begun, strandline._create_anomalies(this, task, changes or '(' ~ nothing ~ ')')) -%}
    {%- elif run is none -%}
        {%- call noop_statement('main', message='no new granule', rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- set version = strandline._version_of(this) -%}
        {%- set changes = strandline._staged_changes(this, task, run, 'select * from ' ~ this) -%}
        {%- set written = strandline._write_anomalies(this, task, run, changes, properties['strandline.build'], version) -%}
        {%- call noop_statement('main', message=written) -%}{%- endcall -%}
    {%- endif -%}
    {%- if run is not none -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- What a new table of anomalies knows of itself beside its task: a name for this build of it, and
    how far scheduled runs have analysed. Statistics are kept of the columns by which runs find
    rows. -#}
{% macro _anomalies_properties(task) %}
    {%- set properties = {'strandline.build': invocation_id, 'delta.dataSkippingStatsColumns': 'starts_at,ends_at'} -%}
    {%- if task.settings.mark is not none -%}{%- do properties.update({'strandline.watermark': strandline._micros_text(task.settings.mark)}) -%}{%- endif -%}
    {{- return(properties) -}}
{% endmacro %}

{#- The first build, and a full refresh: the rows of a first run, in one commit with its mark. -#}
{% macro _create_anomalies(relation, task, changes) %}
    {%- set rows = strandline._written_anomalies(task, changes) ~ ' distribute by ends_month' -%}
    {{- return(strandline._create_table(relation, task, rows, strandline._anomalies_properties(task))) -}}
{% endmacro %}

{#- Writes what a run changes, in one commit or, when nothing differs, in none; gives its message.
    Two runs that begin from one version of the table write under the same token, and Delta lets one
    of them through. The mark follows in a commit of its own, and only when it moves: it may lag
    behind the rows, and never leads. -#}
{% macro _write_anomalies(relation, task, run, changes, build, version) %}
    {%- set found = run_query('select count(*), unix_micros(coalesce(min(old_ends_at), max(ends_at))), unix_micros(coalesce(max(old_ends_at), max(ends_at))) from '
        ~ changes).rows[0] if changes is not none else [0] -%}
    {%- if found[0] -%}
        {%- set merge = strandline._merge_anomalies(relation, task, changes, found[1] | int, found[2] | int) -%}
        {%- if not strandline._write_once(merge, build, version) -%}
            {{- return('left to the next run: another one has written') -}}
        {%- endif -%}
    {%- endif -%}
    {%- if run.mark != run.mark_before -%}
        {%- do strandline._set_properties(relation, {'strandline.watermark': strandline._micros_text(run.mark)}) -%}
    {%- endif -%}
    {{- return('wrote ' ~ found[0] | int ~ (' row' if found[0] == 1 else ' rows') if found[0] else 'nothing new') -}}
{% endmacro %}

{#- One commit that writes the changed rows. The literal bounds, the ends of what is stored of them,
    let Delta skip files. -#}
{% macro _merge_anomalies(relation, task, changes, earliest, latest) %}
merge into {{ relation }} as kept
using ({{ strandline._written_anomalies(task, changes) }}) as changed
on kept.anomaly_id = changed.anomaly_id
    and kept.ends_at >= {{ strandline._micros_time(earliest) }} and kept.ends_at <= {{ strandline._micros_time(latest) }}
when matched then update set *
when not matched then insert *
{%- endmacro %}

{#- Rows as they are written: with the month that they end in, which files are apart by. A run
    rewrites the files of the rows that it changes; without months, what is old would pile up in the
    newest file. -#}
{% macro _written_anomalies(task, changes) %}
    {%- set month = strandline._partition_of('ends_at', task.partition, 'UTC') -%}
    {{- return('select ' ~ strandline._anomaly_columns(task['keys']) | join(', ') ~ ', ' ~ month ~ ' as ends_month from ' ~ changes) -}}
{% endmacro %}

{#- Judges, groups anew and tells, each step computed once; gives where the rows to be written
    stand, or none when nothing has changed and nothing waits to be told. -#}
{% macro _staged_changes(relation, task, run, stored) %}
    {%- set judged = strandline._staged(relation, 'judged', strandline._classified(task, run, stored)) -%}
    {%- set summary = strandline._classified_summary(task, run, stored, judged) -%}
    {%- if not summary.rows and not summary.pending -%}{{- return(none) -}}{%- endif -%}
    {%- set regrouped = strandline._staged(relation, 'regrouped', strandline._merge_groups(task, run, stored, judged, summary)) -%}
    {%- set told = strandline._staged(relation, 'told', strandline._notified_incidents(task, run, stored, regrouped)) -%}
    {{- return(strandline._staged(relation, 'changes', strandline._changes(task, run, judged, regrouped, told))) -}}
{% endmacro %}

{#- The materialization of a table of anomalies. The first build and a full refresh create it. Every
    other run merges the rows that differ in one commit, or writes nothing. The watermark, up to
    which scheduled runs have analysed, the arrivals that they have read and the counts of the last
    runs are properties of the table, and so is the task: if the task differs, the run fails. -#}
{% materialization strandline_anomalies, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code, uses_clock=true) -%}
    {%- if begun.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task = begun.task -%}
    {%- set properties = {} if begun.is_new
        else strandline._set_watermark_back(this, task, begun.properties) -%}
    {%- set reads = strandline._property_json(strandline._anomaly_reads(task)) -%}
    {%- set run = strandline._anomaly_run(task, properties) -%}

    {%- if begun.is_new -%}
        {%- set nothing = strandline._no_anomalies(task) -%}
        {%- set changed = {'changes': none, 'counts': {}} if run is none
            else strandline._staged_changes(this, task, run, nothing) -%}
        {%- set rows = run_query('select count(*) from ' ~ changed.changes).rows[0][0] | int
            if changed.changes is not none else 0 -%}
        {%- do strandline._create_once(begun, strandline._create_anomalies(this, task,
            changed.changes or '(' ~ nothing ~ ')',
            strandline._run_properties(properties, run, changed.counts, rows, reads))) -%}
        {%- set message = strandline._withheld_message(changed.changes)
            ~ ('' if run is none else strandline._warn_of_clock(this, task, run, true)) -%}
        {%- if message -%}
            {%- call noop_statement('main', message='created' ~ message) -%}{%- endcall -%}
        {%- endif -%}
    {%- elif run is none -%}
        {%- call noop_statement('main', message='no new interval',
            rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- do strandline._add_anomaly_columns(this) -%}
        {%- set version = strandline._version_of(this) -%}
        {%- set changed = strandline._staged_changes(this, task, run, 'select * from ' ~ this) -%}
        {%- do strandline._warn_of_unstored(this, task, run) -%}
        {%- set written = strandline._write_anomalies(this, task, run, changed, version,
            properties, reads) -%}
        {%- if written.startswith('left') -%}{%- do begun.update({'note': none}) -%}{%- endif -%}
        {%- call noop_statement('main', message=written
            ~ strandline._warn_of_clock(this, task, run, false)) -%}{%- endcall -%}
    {%- endif -%}
    {%- if run is not none -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- The properties that a run stores: the watermark, the arrivals that it has read, its counts as
    the last one of at most 50 runs, and what `anomaly_late` and `anomaly_ledger` read. A backfill
    has read no arrivals. -#}
{% macro _run_properties(properties, run, counts, rows, reads) %}
    {%- set stored = {'strandline.reads': reads} -%}
    {%- if run is none -%}{{- return(stored) -}}{%- endif -%}
    {%- if run.watermark is not none -%}
        {%- do stored.update({'strandline.watermark': strandline._micros_text(run.watermark)}) -%}
    {%- endif -%}
    {%- if run.arrived is not none -%}
        {%- do stored.update({'strandline.arrivals': strandline._property_json(
            run.arrived.read)}) -%}
    {%- endif -%}
    {%- if run.is_set_back -%}
        {%- do stored.update({'strandline.set_back_from': ''}) -%}
    {%- endif -%}
    {%- set runs = fromjson(properties.get('strandline.runs', '[]')) -%}
    {%- set last = runs[-1].run if runs else 0 -%}
    {%- do runs.append(dict(strandline._run_counts(run, counts), run=last + 1, written=rows)) -%}
    {%- do stored.update({'strandline.runs': tojson(runs[-50:])}) -%}
    {{- return(stored) -}}
{% endmacro %}

{#- The counts of a run, for the ledger. Each detection that a run receives is classified, ignored,
    late (it ends before the analysed ranges) or of the future (it ends after `not_after`). -#}
{% macro _run_counts(run, counts) %}
    {%- set arrived = run.arrived or {'late': 0, 'future': 0, 'ranges': []} -%}
    {%- set is_analysed = arrived.ranges | length > 0 -%}
    {%- set classified, ignored = counts.get('found', 0) - counts.get('ignored', 0),
        counts.get('ignored', 0) -%}
    {%- set late = 0 if is_analysed else arrived.late -%}
    {{- return({
        'run_at': run.run_at,
        'watermark': none if run.watermark is none else strandline._micros_text(run.watermark),
        'received': classified + ignored + late + arrived.future,
        'classified': classified, 'ignored': ignored, 'late': late, 'future': arrived.future,
        'late_analysed': arrived.late if is_analysed else 0,
    }) -}}
{% endmacro %}

{#- The first build and a full refresh: the rows of a first run and its properties in one commit,
    and statistics of the columns by which runs find rows. -#}
{% macro _create_anomalies(relation, task, changes, properties) %}
    {%- set rows = strandline._written_anomalies(task, changes) ~ ' distribute by ends_month' -%}
    {{- return(strandline._create_table(relation, task, rows,
        dict(properties, **{'delta.dataSkippingStatsColumns': 'starts_at,ends_at'}))) -}}
{% endmacro %}

{#- The part of a first build's message on older incidents that it does not notify of; empty without
    one. -#}
{% macro _withheld_message(changes) %}
    {%- set count = run_query('select count(*) from ' ~ changes
        ~ ' where withheld is not null').rows[0][0] | int if changes is not none else 0 -%}
    {{- return('' if not count else '; ' ~ count ~ (' incident' if count == 1 else ' incidents')
        ~ ' older than notify_look_back stored and not sent; `strandline notify --older` sends '
        ~ ('it' if count == 1 else 'them')) -}}
{% endmacro %}

{#- Writes the changes of a run in one commit, or in none if nothing differs; returns the model's
    message. Two runs that start from the same version of the table write with the same token, and
    Delta accepts only one. The watermark, the arrivals and the counts follow in one commit, only if
    a row was written or one of the first two moves: they may be behind the rows, but never ahead. A
    run after a crash between the two commits analyses the same again, and finds it stored. -#}
{% macro _write_anomalies(relation, task, run, changed, version, properties, reads) %}
    {%- set changes = changed.changes -%}
    {%- set found = run_query('select count(*), unix_micros(coalesce(min(__old_ends_at), '
        ~ 'max(ends_at))), unix_micros(coalesce(max(__old_ends_at), max(ends_at))) from '
        ~ changes).rows[0] if changes is not none else [0] -%}
    {%- if found[0] -%}
        {%- set merge = strandline._merge_anomalies(relation, task, changes, found[1] | int,
            found[2] | int) -%}
        {%- set written = strandline._write_once(merge, version) -%}
        {%- if not written -%}
            {{- return('left to the next run: another run has written') -}}
        {%- endif -%}
    {%- endif -%}
    {%- set next = strandline._run_properties(properties, run, changed.counts, found[0] | int,
        reads) -%}
    {%- set moved = [] -%}
    {%- for name, value in next.items()
        if name != 'strandline.runs' and value != properties.get(name) -%}
        {%- do moved.append(name) -%}
    {%- endfor -%}
    {%- if found[0] or moved -%}{%- do strandline._set_properties(relation, next) -%}{%- endif -%}
    {{- return(('wrote ' ~ found[0] | int ~ (' row' if found[0] == 1 else ' rows') if found[0]
        else 'nothing new') ~ strandline._arrived_message(relation, task, run)) -}}
{% endmacro %}

{#- One commit that writes the changed rows. Delta skips files by the literal bounds, which are the
    stored ends of these rows. The columns are listed, since Delta's `*` refuses a name with a
    backtick. -#}
{% macro _merge_anomalies(relation, task, changes, earliest, latest) %}
{%- set columns = strandline._all_quoted(strandline._anomaly_columns(task['keys']))
    + ['ends_month'] -%}
merge into {{ relation }} as __kept
using ({{ strandline._written_anomalies(task, changes) }}) as __changed
on __kept.anomaly_id = __changed.anomaly_id
    and __kept.ends_at >= {{ strandline._micros_time(earliest) }}
    and __kept.ends_at <= {{ strandline._micros_time(latest) }}
when matched then update set
    {%- for column in columns %}
    {{ column }} = __changed.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
when not matched then insert ({{ columns | join(', ') }})
    values (__changed.{{ columns | join(', __changed.') }})
{%- endmacro %}

{#- Rows as they are written, with the month of their end as the partition. A run rewrites the files
    of the rows that it changes. Without partitions, old rows would accumulate in the newest
    file. -#}
{% macro _written_anomalies(task, changes) %}
    {%- set month = strandline._partition_of('ends_at', task.partition, 'UTC') -%}
    {{- return('select ' ~ strandline._all_quoted(strandline._anomaly_columns(task['keys']))
        | join(', ') ~ ', ' ~ month
        ~ ' as ends_month from ' ~ changes) -}}
{% endmacro %}

{#- Classifies, merges groups and notifies, with each step computed once. Returns the staged rows to
    write (`changes`: none if nothing has changed and no notification is due), and the counts of the
    detections. -#}
{% macro _staged_changes(relation, task, run, stored) %}
    {%- set found = strandline._staged(relation, 'found', strandline._found(task, run)) -%}
    {%- set classified = strandline._staged(relation, 'classified',
        strandline._classified(task, run, stored, found)) -%}
    {%- set summary = strandline._classified_summary(task, run, stored, classified, found) -%}
    {%- if not summary.rows and not summary.pending -%}
        {{- return({'changes': none, 'counts': summary}) -}}
    {%- endif -%}
    {%- set regrouped = strandline._staged(relation, 'regrouped',
        strandline._merge_groups(task, run, stored, classified, summary)) -%}
    {%- set notified = strandline._staged(relation, 'notified',
        strandline._notified_incidents(task, run, stored, regrouped)) -%}
    {{- return({'counts': summary, 'changes': strandline._staged(relation, 'changes',
        strandline._changes(task, run, classified, regrouped, notified))}) -}}
{% endmacro %}

{#- The body of a table of consolidated anomalies. See _macros.yml. The body is the query of all
    detections. The materialization compares the stored table with them; it reads the task from the
    first line. -#}
{% macro anomalies(detections, keys, start='starts_at', end='ends_at', current='current_value',
    baseline='baseline_value', re_notify_percentage_threshold=none,
    re_notify_absolute_threshold=none, mutability_period=none, granularity='PT15M',
    completeness_delay='PT0S', merge_max_gap='PT1S', merge_max_duration='P7D', severity='severity',
    labels=none, ignored='is_ignored', min_length='PT0S', notify_look_back='P7D', completed=false,
    feedback=none, clock=none, not_after=none, arrival='arrival', late='analyse', upstream=[]) %}
    {%- set detection_column = {'of': 'detections'} -%}
    {%- set read = strandline._arguments('anomalies', kwargs, varargs, {
        'detections': ['relations', detections, "write ref(…) or source(...), one relation or a "
            ~ "list, so that dbt sees what the model depends on"],
        'keys': ['columns', keys, "list the columns that identify an anomaly, such as "
            ~ "['detector', 'carrier']", dict(detection_column, type='comparable', some=true,
                reserved={'names': strandline._anomaly_columns(strandline._outbox_columns()),
                    'why': 'which is also a column of the result or its outbox'})],
        'start': ['column', start, none, dict(detection_column, type='timestamp')],
        'end': ['column', end, none, dict(detection_column, type='timestamp')],
        'current': ['column', current, none, detection_column],
        'baseline': ['column', baseline, none, dict(detection_column, optional=true)],
        're_notify_percentage_threshold': strandline._threshold_argument(
            re_notify_percentage_threshold),
        're_notify_absolute_threshold': strandline._threshold_argument(
            re_notify_absolute_threshold),
        'mutability_period': ['length', mutability_period, none, {'optional': true, 'zero': true}],
        'granularity': ['length', granularity, "write a length of time above zero, such as "
            ~ "'PT15M' (months and years have no fixed length)"],
        'completeness_delay': ['length', completeness_delay, none, {'zero': true}],
        'merge_max_gap': ['length', merge_max_gap, none, {'zero': true}],
        'merge_max_duration': ['length', merge_max_duration, none, {'zero': true}],
        'severity': ['column', severity, none,
            dict(detection_column, optional=true, usual='severity')],
        'labels': ['column', labels, none, dict(detection_column, type='labels', optional=true)],
        'ignored': ['column', ignored, "write the name of a BOOLEAN column, such as 'is_ignored'",
            dict(detection_column, type='boolean', usual='is_ignored',
                take='take a BOOLEAN, true for what is to be ignored')],
        'min_length': ['length', min_length, none, {'zero': true}],
        'notify_look_back': ['length', notify_look_back, "write a length of time above zero, such "
            ~ "as 'P7D' (months and years have no fixed length), or none (all are notified)",
            {'optional': true}],
        'completed': ['flag', completed],
        'feedback': ['relation', feedback, strandline._feedback_form(), {'optional': true,
            'unread': true}],
        'clock': ['text', clock, "write a SQL expression of one TIMESTAMP, such as '(select "
            ~ "max(ts) from ' ~ ref('flights') ~ ')'", {'optional': true}],
        'not_after': ['expression', not_after, "write one SQL expression of a TIMESTAMP, such as "
            ~ "'current_timestamp()', a sub-query in parentheses, or one over the columns of the "
            ~ "detections", {'optional': true}],
        'arrival': ['column', arrival,
            'write the name of a column, or none if the detections have no arrivals',
            dict(detection_column, type='comparable', optional=true, usual='arrival',
                take='take a column that grows, such as a BIGINT')],
        'late': ['choice', late, "write 'analyse' (the time of late detections is analysed again) "
            ~ "or 'report' (they are only counted)", {'of': ['analyse', 'report']}],
        'upstream': ['relations', upstream, "write ref(…), the table of an aggregation that the "
            ~ "detectors read", {'empty': true}],
    }) -%}
    {%- set label_type = strandline._label_type(read) -%}
    {%- do strandline._check_upstream_buckets(read) -%}
    {%- do strandline._refuse('anomalies', read.faults) -%}

    {{- config(materialized='strandline_anomalies', file_format=strandline._file_format(),
        unique_key='anomaly_id', partition_by=['ends_month']) -}}
    {%- if execute -%}
        {%- set task = strandline._anomalies_task(read, label_type) -%}
        {{- strandline._task_line(task) }}
{{ strandline._detected(task) }}
    {%- endif -%}
{% endmacro %}

{#- What the materialization needs to know, as plain data. The keys beside `settings` define the
    stored rows and are compared by the next run; the settings may change from run to run. -#}
{% macro _anomalies_task(read, label_type) %}
    {%- set columns = {} -%}
    {%- for name in ['start', 'end', 'current', 'baseline', 'severity', 'labels'] -%}
        {%- do columns.update({name: read[name]}) -%}
    {%- endfor -%}
    {{- return({
        'kind': 'anomalies', 'keys': read['keys'] | map('lower') | list, 'columns': columns,
        'merge_max_gap': read.merge_max_gap, 'merge_max_duration': read.merge_max_duration,
        'partition': 'month',
        'settings': {
            'detections': read.detections | map('string') | list,
            'ignored': strandline._existing_columns(read, 'ignored'),
            'severity': strandline._existing_columns(read, 'severity'),
            'arrival': strandline._existing_columns(read, 'arrival'),
            'feedback': none if read.feedback is none else read.feedback | string,
            'clock': read.clock, 'completed': read.completed, 'labels': label_type,
            'not_after': read.not_after,
            'not_after_is_constant': strandline._check_detections_not_after(read),
            'late': read.late, 'upstream': read.upstream | map('string') | list,
            'set_back': strandline._run_setting('strandline_watermark'),
            'absolute': strandline._threshold(read.re_notify_absolute_threshold),
            'percentage': strandline._threshold(read.re_notify_percentage_threshold),
            'mutability_period': read.mutability_period, 'granularity': read.granularity,
            'completeness_delay': read.completeness_delay, 'min_length': read.min_length,
            'notify_look_back': read.notify_look_back,
        },
    }) -}}
{% endmacro %}

{#- What a reader of the table needs to read its detections and its open incidents: a part of the
    task, which is stored with the table. -#}
{% macro _anomaly_reads(task) %}
    {%- set settings = {} -%}
    {%- for name in ['detections', 'ignored', 'severity', 'not_after', 'late', 'feedback',
        'min_length'] -%}
        {%- do settings.update({name: task.settings[name]}) -%}
    {%- endfor -%}
    {{- return({'keys': task['keys'], 'columns': task.columns, 'settings': settings}) -}}
{% endmacro %}

{#- The argument of a threshold, for `_arguments`. -#}
{% macro _threshold_argument(value) %}
    {{- return(['number', value,
        'write a number from 0 up (0 means any change), or leave it out (never)',
        {'optional': true, 'from': 0, 'to': 1e299}]) -}}
{% endmacro %}

{#- A threshold as an SQL literal; none if it is unset. -#}
{% macro _threshold(value) %}
    {{- return(none if value is none else value ~ 'D') -}}
{% endmacro %}

{#- What to write as `feedback`, for messages. -#}
{% macro _feedback_form() %}
    {{- return('write ref(…) or source(...), a relation with anomaly_id') -}}
{% endmacro %}

{#- The argument that is a table of anomalies, for `_arguments`. -#}
{% macro _anomalies_argument(source, options={}) %}
    {{- return(['relation', source, 'write ref(…), the model that calls strandline.anomalies',
        options]) -}}
{% endmacro %}

{#- The columns of the outbox that no key may have. -#}
{% macro _outbox_columns() %}
    {{- return(['ends_month', 'notification_key', 'kind', 'notified_at', 'members', 'unit',
        'measured_name', 'is_bound', 'contributions']) -}}
{% endmacro %}

{#- What the labels are in all relations of detections: array, text, or none without labels. Appends
    a fault if they differ. -#}
{% macro _label_type(read) %}
    {%- set kinds = [] -%}
    {%- for types in read.types.detections if read.labels is string
        and read.labels | lower in types -%}
        {%- do kinds.append('array' if types[read.labels | lower].startswith('array<') else 'text')
            -%}
    {%- endfor -%}
    {%- if kinds | unique | list | length > 1 -%}
        {%- do read.faults.append("`labels` names " ~ read.labels ~ ", which is an array in one of "
            ~ "`detections` and a text in another; make it an array in all of them") -%}
    {%- endif -%}
    {{- return(kinds | first if kinds else none) -}}
{% endmacro %}

{#- An optional column in each relation of detections, in lower case; none if a relation does not
    have it. -#}
{% macro _existing_columns(read, argument) %}
    {%- set columns = [] -%}
    {%- for types in read.types.detections -%}
        {%- set column = none if read[argument] is none else read[argument] | lower -%}
        {%- do columns.append(column if column in types else none) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{#- Appends a fault if a relation of `upstream` has no buckets with arrivals. -#}
{% macro _check_upstream_buckets(read) %}
    {%- for types in read.types.upstream -%}
        {%- set relation = read.upstream[loop.index0] -%}
        {%- for column in ['agg_timestamp', 'agg_arrival'] if types and column not in types -%}
            {%- do read.faults.append(strandline._no_column('upstream', column, relation, types)
                ~ "; take the table of an aggregation, which has agg_timestamp and "
                ~ "agg_arrival") -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}

{#- Whether a detection, with the columns of its relation, does not end after `not_after`. -#}
{% macro _is_not_future(task) %}
    {{- return('true' if task.settings.not_after is none else '(not coalesce('
        ~ strandline._quoted(task.columns.end) ~ ' > (' ~ task.settings.not_after
        ~ '\n), false))') -}}
{% endmacro %}

{#- All detections with the column names of the result, and whether they are ignored; NaN is
    converted to null. Those that end after `not_after` are left out; with `is_future` only they are
    returned. -#}
{% macro _detected(task, is_future=false) %}
    {%- set columns = task.columns -%}
    {%- for relation in task.settings.detections %}
select
    {{ strandline._all_quoted(task['keys']) | join(', ') }},
    {{ strandline._quoted(columns.start) }} as starts_at,
    {{ strandline._quoted(columns.end) }} as ends_at,
    {%- for name in ['current', 'baseline'] %}
    {{ "cast(null as double)" if columns[name] is none
        else "nullif(cast(" ~ strandline._quoted(columns[name])
            ~ " as double), double('NaN'))" }} as {{ name }}_value,
    {%- endfor %}
    cast({{ 'null' if task.settings.severity[loop.index0] is none
        else strandline._quoted(task.settings.severity[loop.index0]) }} as string) as severity,
    {{ 'cast(null as string)' if columns.labels is none
        else strandline._quoted(columns.labels) }} as labels,
    {{ 'false' if task.settings.ignored[loop.index0] is none
        else 'coalesce(' ~ strandline._quoted(task.settings.ignored[loop.index0])
            ~ ', false)' }} as __is_ignored
from {{ relation }}
{%- if task.settings.not_after is not none %}
where {{ 'not ' if is_future }}{{ strandline._is_not_future(task) }}
{%- endif %}
{%- if not loop.last %} union all{% endif -%}
    {%- endfor -%}
{% endmacro %}

{#- The body of a model without a `not_after` that only moves forward, which alone makes it another
    body at any time. A `clock` that reads the time of the run, too, keeps the body as it is. -#}
{% macro _without_moving_bound(compiled) %}
    {%- set settings = strandline._read_task(compiled).settings -%}
    {%- set not_after = settings.not_after -%}
    {{- return(compiled if not_after is none or not strandline._moves_forward(not_after)
        or not_after in (settings.clock or '') else compiled.replace(not_after, 'not_after')) -}}
{% endmacro %}

{#- Whether an expression is the time of the run, with or without an interval. -#}
{% macro _moves_forward(expression) %}
    {{- return(modules.re.fullmatch('(?i)\\s*(current_timestamp(\\(\\))?|now\\(\\))'
        ~ "(\\s*[+-]\\s*interval\\s+('[^']*'|\\w+)(\\s+\\w+)?)?\\s*", expression) is not none) -}}
{% endmacro %}

{#- Whether a later run can find more although nothing has changed: a `not_after` that was evaluated
    for this run leaves something out, a detection or a part of the clock. -#}
{% macro _may_change_by_itself(task) %}
    {%- set settings = task.settings -%}
    {%- if settings.not_after_micros is none -%}{{- return(false) -}}{%- endif -%}
    {%- set clock = 'false' if settings.clock is none else 'coalesce(unix_micros('
        ~ settings.clock ~ ') > ' ~ settings.not_after_micros ~ 'L, false)' -%}
    {{- return(run_query('select ' ~ clock ~ ' or exists (select 1 from ('
        ~ strandline._detected(task, is_future=true) ~ '))').rows[0][0]) -}}
{% endmacro %}

{#- The materialization of a table of anomalies. The first build and a full refresh create it. Every
    other run merges the rows that differ in one commit, or writes nothing. The watermark, up to
    which scheduled runs have analysed, the arrivals that they have read and the counts of the last
    runs are properties of the table, and so is the task: if the task differs, the run fails. -#}
{% materialization strandline_anomalies, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code, uses_clock=true,
        compared=strandline._without_moving_bound(compiled_code)) -%}
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
        {%- set state = strandline._state_of(this) -%}
        {%- set changed = strandline._staged_changes(this, task, run, 'select * from ' ~ this) -%}
        {%- do strandline._warn_of_unstored(this, task, run) -%}
        {%- set written = strandline._write_anomalies(this, task, run, changed, state,
            properties, reads) -%}
        {%- if written.startswith('left') -%}{%- do begun.update({'note': none}) -%}{%- endif -%}
        {%- call noop_statement('main', message=written
            ~ strandline._warn_of_clock(this, task, run, false)) -%}{%- endcall -%}
    {%- endif -%}
    {%- if run is not none -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}
    {%- if begun.note and strandline._may_change_by_itself(task) -%}
        {%- do begun.update({'note': none}) -%}
    {%- endif -%}
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
    message. Two runs that start from the same state of the table write with the same token, and
    Delta accepts only one. The watermark, the arrivals and the counts follow in one commit, only if
    a row was written or one of the first two moves: they may be behind the rows, but never ahead. A
    run after a crash between the two commits analyses the same again, and finds it stored. -#}
{% macro _write_anomalies(relation, task, run, changed, state, properties, reads) %}
    {%- set changes = changed.changes -%}
    {%- set found = run_query('select count(*), unix_micros(coalesce(min(__old_ends_at), '
        ~ 'max(ends_at))), unix_micros(coalesce(max(__old_ends_at), max(ends_at))) from '
        ~ changes).rows[0] if changes is not none else [0] -%}
    {%- if found[0] -%}
        {%- set merge = strandline._merge_anomalies(relation, task, changes, state,
            found[1] | int, found[2] | int) -%}
        {%- set written = strandline._write_once(merge, state) -%}
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
{% macro _merge_anomalies(relation, task, changes, state, earliest, latest) %}
{%- set columns = strandline._all_quoted(strandline._anomaly_columns(task['keys']))
    + ['ends_month'] -%}
merge into {{ relation }} as __kept
using ({{ strandline._checked_rows(relation, strandline._written_anomalies(task, changes), state)
    }}) as __changed
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

{#- The columns of the table of anomalies, in order. -#}
{% macro _anomaly_columns(key) %}
    {{- return(['anomaly_id'] + key
        + ['starts_at', 'ends_at', 'current_value', 'baseline_value', 'severity', 'labels',
        'generation', 'replaces', 'incident_id', 'parent_id', 'is_parent', 'status',
        'first_seen_at', 'changed_at', 'created_run_at',
        'changed_run_at', 'notified_at', 'notified', 'notified_completed',
        'notified_severities', 'withheld']) -}}
{% endmacro %}

{#- All columns of an anomaly as a select list: some given as expressions, the others read from an
    alias. -#}
{% macro _anomaly_row(task, source, given={}) %}
    {%- set columns = [] -%}
    {%- for column in strandline._anomaly_columns(task['keys']) -%}
        {%- set name = strandline._quoted(column) -%}
        {%- do columns.append(given[column] ~ ' as ' ~ name if column in given
            else source ~ '.' ~ name) -%}
    {%- endfor -%}
    {{- return(columns | join(', ')) -}}
{% endmacro %}

{#- The initial values of a new row. -#}
{% macro _new_anomaly(run) %}
    {{- return({
        'generation': '0', 'replaces': 'cast(null as string)',
        'incident_id': 'cast(null as string)',
        'parent_id': 'cast(null as string)', 'is_parent': 'false', 'status': "'new'",
        'first_seen_at': run.analysed_end,
        'changed_at': run.analysed_end, 'created_run_at': run.run_at, 'changed_run_at': run.run_at,
        'notified_at': 'cast(null as timestamp)',
        'notified': 'cast(null as ' ~ strandline._notified_type() ~ ')',
        'notified_completed': 'cast(null as ' ~ strandline._notified_type() ~ ')',
        'notified_severities': 'cast(null as ' ~ strandline._severities_type() ~ ')',
        'withheld': 'cast(null as ' ~ strandline._notified_type() ~ ')',
    }) -}}
{% endmacro %}

{#- An empty table of anomalies as a query: the stored rows of a first build. -#}
{% macro _no_anomalies(task) %}
    {%- set never = 'cast(null as timestamp)' -%}
    {%- set given = strandline._new_anomaly({'analysed_end': never, 'run_at': never}) -%}
    {%- do given.update({'anomaly_id': 'cast(null as string)'}) -%}
    {{- return('select ' ~ strandline._anomaly_row(task, '__detected', given) ~ ' from ('
        ~ strandline._detected(task) ~ ') as __detected where false') -}}
{% endmacro %}

{#- Whether an anomaly is active: neither outdated nor ignored. Ignored and outdated anomalies keep
    their rows, but are neither merged nor notified. -#}
{% macro _is_active(status) %}
    {{- return(status ~ " not in ('outdated', 'ignored')") -}}
{% endmacro %}

{#- The identity of the parent of an incident. -#}
{% macro _parent_id(incident) %}
    {{- return("sha2(concat('parent of ', " ~ incident ~ "), 256)") -}}
{% endmacro %}

{#- The type of `notified`: the time of a notification, and the anomaly that represents the
    incident. -#}
{% macro _notified_type() %}
    {{- return('struct<at: timestamp, anomaly_id: string>') -}}
{% endmacro %}

{#- The type of `notified_severities`: the severities of which was notified, in order. The first is
    that of the first notification of the incident, each other one is a rise. -#}
{% macro _severities_type() %}
    {{- return('array<struct<severity: string, at: timestamp, anomaly_id: string>>') -}}
{% endmacro %}

{#- Adds to the table of an older version the columns that it does not have. -#}
{% macro _add_anomaly_columns(relation) %}
    {%- set types = strandline._types_of(relation) -%}
    {%- set missing = [] -%}
    {%- for name, type in {'notified_severities': strandline._severities_type(),
        'withheld': strandline._notified_type()}.items() if name not in types -%}
        {%- do missing.append(name ~ ' ' ~ type) -%}
    {%- endfor -%}
    {%- if missing -%}
        {%- do run_query('alter table ' ~ relation ~ ' add columns (' ~ missing | join(', ')
            ~ ')') -%}
    {%- endif -%}
{% endmacro %}

{#- Columns of an alias, as a select list. -#}
{% macro _with_alias(alias, columns) %}
    {{- return(alias ~ '.' ~ columns | join(', ' ~ alias ~ '.')) -}}
{% endmacro %}

{#- The columns of the parent of a family, from `_notified_incidents`: the stored parent with the
    current bounds and values, or a new one. -#}
{% macro _parent_row(task, run) %}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
{%- set given = strandline._new_anomaly(run) -%}
{%- for column in given -%}
    {%- do given.update({column: 'coalesce(__family.__parent.' ~ column ~ ', ' ~ given[column]
        ~ ')'}) -%}
{%- endfor -%}
{%- for column in values -%}
    {%- do given.update({column: '__family.__family_values.' ~ column}) -%}
{%- endfor -%}
{%- do given.update({
    'anomaly_id': '__family.__root_id', 'is_parent': 'true', 'incident_id': '__family.incident_id',
    'replaces': 'if(__family.__parent is null, __family.replaces, __family.__parent.replaces)',
    'status': "case when __family.__parent is null then 'new' "
        ~ "when __family.__parent.status <> 'outdated' and struct("
        ~ strandline._with_alias('__family.__parent', ['starts_at', 'ends_at'] + values)
        ~ ") <=> struct(__family.starts_at, __family.ends_at, "
        ~ strandline._with_alias('__family.__family_values', values)
        ~ ") then __family.__parent.status else 'updated' end",
}) -%}
{{- return(strandline._anomaly_row(task, '__family', given)) -}}
{% endmacro %}

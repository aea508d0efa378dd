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
            'not_after': read.not_after, 'not_after_is_constant':
                strandline._check_detections_not_after(read.not_after, read.detections),
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

{#- What to write as `feedback`, and as the table of anomalies that a macro reads, for messages. -#}
{% macro _feedback_form() %}
    {{- return('write ref(…) or source(...), a relation with anomaly_id') -}}
{% endmacro %}

{% macro _anomalies_argument(source) %}
    {{- return(['relation', source, 'write ref(…), the model that calls strandline.anomalies']) -}}
{% endmacro %}

{#- The columns of the outbox that no key may have. -#}
{% macro _outbox_columns() %}
    {{- return(['ends_month', 'notification_key', 'kind', 'notified_at', 'members', 'unit',
        'measured_name', 'is_bound']) -}}
{% endmacro %}

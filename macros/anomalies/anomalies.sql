{#- The body of a table of consolidated anomalies. See _macros.yml. The body is the query of all
    detections. The materialization compares the stored table with them; it reads the task from the
    first line. -#}
{% macro anomalies(detections, keys, start='starts_at', end='ends_at', current='current_value',
    baseline='baseline_value', re_notify_percentage_threshold=none,
    re_notify_absolute_threshold=none, mutability_period=none, granularity='PT15M',
    completeness_delay='PT0S', merge_max_gap='PT1S', merge_max_duration='P7D', severity='severity',
    labels=none, ignored='is_ignored', min_length='PT0S', notify_look_back='P7D', completed=false,
    feedback=none, clock=none, not_after=none, arrival='arrival', late='analyse', upstream=[]) %}
    {%- do strandline._check_call('anomalies', kwargs, varargs, {
        'detections': [detections, "pass a relation: ref('detections')"],
        'keys': [keys, "write the list of columns that identify an anomaly, such as ['detector']"],
    }, ['start', 'end', 'current', 'baseline', 're_notify_percentage_threshold',
        're_notify_absolute_threshold', 'mutability_period', 'granularity', 'completeness_delay',
        'merge_max_gap', 'merge_max_duration', 'severity', 'labels', 'ignored', 'min_length',
        'notify_look_back', 'completed', 'feedback', 'clock', 'not_after', 'arrival', 'late',
        'upstream']) -%}
    {%- set faults = [] -%}
    {%- set durations = strandline._anomaly_durations({
        'mutability_period': mutability_period, 'granularity': granularity,
        'completeness_delay': completeness_delay,
        'merge_max_gap': merge_max_gap, 'merge_max_duration': merge_max_duration,
        'min_length': min_length,
        'notify_look_back': notify_look_back,
    }, faults) -%}
    {%- set thresholds = strandline._anomaly_thresholds({
        're_notify_percentage_threshold': re_notify_percentage_threshold,
        're_notify_absolute_threshold': re_notify_absolute_threshold,
    }, faults) -%}
    {%- set columns = {'start': start, 'end': end, 'current': current, 'baseline': baseline,
        'severity': severity, 'labels': labels} -%}
    {%- set keys = strandline._anomaly_key(keys, columns, faults) -%}
    {%- set detections = strandline._anomaly_relations(detections, feedback, faults) -%}
    {%- if completed not in [true, false] -%}
        {%- do faults.append("`completed` is '" ~ completed ~ "'; it must be true or false") -%}
    {%- endif -%}
    {%- if clock is not none and (clock is not string or not clock | trim) -%}
        {%- do faults.append("`clock` is '" ~ clock
            ~ "'; write a SQL expression of one TIMESTAMP, such as '(select max(ts) from ' ~ "
            ~ "ref('flights') ~ ')'") -%}
    {%- endif -%}
    {%- if not_after is not none and (not_after is not string or not not_after | trim
        or not strandline._is_balanced(not_after)) -%}
        {%- do faults.append("`not_after` is '" ~ not_after ~ "'; write one SQL expression of a "
            ~ "TIMESTAMP, such as 'current_timestamp()', a sub-query in parentheses, or one over "
            ~ "the columns of the detections") -%}
    {%- endif -%}
    {%- if arrival is not none and not strandline._is_column_name(arrival) -%}
        {%- do faults.append("`arrival` is '" ~ arrival
            ~ "'; write the name of a column, or none if the detections have no arrivals"
            ~ strandline._column_name_rule()) -%}
    {%- endif -%}
    {%- if late not in ['analyse', 'report'] -%}
        {%- do faults.append("`late` is '" ~ late ~ "'; write 'analyse' (the time of late "
            ~ "detections is analysed again) or 'report' (they are only counted)") -%}
    {%- endif -%}
    {%- set upstream = strandline._anomaly_upstream(upstream, faults) -%}
    {%- if not strandline._is_column_name(ignored) -%}
        {%- do faults.append("`ignored` is '" ~ ignored
            ~ "'; write the name of a BOOLEAN column, such as 'is_ignored'"
            ~ strandline._column_name_rule()) -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies', faults) -%}

    {{- config(materialized='strandline_anomalies', file_format=strandline._file_format(),
        unique_key='anomaly_id', partition_by=['ends_month']) -}}
    {%- if execute -%}
        {%- set label_type = strandline._check_detections(detections, keys, columns) -%}
        {%- do strandline._check_anomaly_upstream(upstream) -%}
        {%- set task = strandline._anomalies_task(keys, columns, durations, {
            'detections': detections | map('string') | list,
            'ignored': strandline._optional_columns(detections, 'ignored', ignored, 'is_ignored'),
            'severity': strandline._optional_columns(detections, 'severity', severity, 'severity'),
            'feedback': none if feedback is none else feedback | string,
            'clock': clock, 'completed': completed, 'labels': label_type,
            'not_after': not_after, 'not_after_is_constant':
                strandline._check_detections_not_after(not_after, detections),
            'arrival': strandline._optional_columns(detections, 'arrival', arrival, 'arrival'),
            'late': late, 'upstream': upstream | map('string') | list,
            'set_back': strandline._run_setting('strandline_watermark'),
            'absolute': thresholds.re_notify_absolute_threshold,
            'percentage': thresholds.re_notify_percentage_threshold,
        }) -%}
        {{- strandline._task_line(task) }}
{{ strandline._detected(task) }}
    {%- endif -%}
{% endmacro %}

{#- What the materialization needs to know, as plain data. The keys beside `settings` define the
    stored rows and are compared by the next run; the settings may change from run to run. -#}
{% macro _anomalies_task(keys, columns, durations, settings) %}
    {%- for name in ['mutability_period', 'granularity', 'completeness_delay', 'min_length',
        'notify_look_back'] -%}
        {%- do settings.update({name: durations[name]}) -%}
    {%- endfor -%}
    {{- return({
        'kind': 'anomalies', 'keys': keys, 'columns': columns,
        'merge_max_gap': durations.merge_max_gap,
        'merge_max_duration': durations.merge_max_duration, 'partition': 'month',
        'settings': settings,
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

{#- The relations of detections as a list. Appends a fault for text, because dbt could not see the
    dependency. -#}
{% macro _anomaly_relations(detections, feedback, faults) %}
    {%- set given = [detections] if detections is string or detections is mapping
        or detections is not sequence else detections | list -%}
    {%- if not given -%}
        {%- do faults.append("`detections` is empty; list one relation or more, such as "
            ~ "[ref('flight_detections')]") -%}
    {%- endif -%}
    {%- for relation in given if relation is string or relation is none -%}
        {%- do faults.append("`detections` has '" ~ relation ~ "'; write ref('" ~ relation
            ~ "') or source(...), so that dbt sees what the model depends on") -%}
    {%- endfor -%}
    {%- if feedback is string -%}
        {%- do faults.append("`feedback` is '" ~ feedback ~ "'; write ref('" ~ feedback
            ~ "') or source(...), a relation with anomaly_id") -%}
    {%- endif -%}
    {{- return(given) -}}
{% endmacro %}

{#- The relations of `upstream` as a list. Appends a fault for text. -#}
{% macro _anomaly_upstream(upstream, faults) %}
    {%- set given = [upstream] if upstream is string or upstream is mapping
        or upstream is not sequence else upstream | list -%}
    {%- for relation in given if relation is string or relation is none -%}
        {%- do faults.append("`upstream` has '" ~ relation ~ "'; write ref('" ~ relation
            ~ "'), the table of an aggregation that the detectors read") -%}
    {%- endfor -%}
    {{- return(given) -}}
{% endmacro %}

{#- The key columns in lower case. Appends a fault for names that are not column names, are
    repeated, or are columns of the result or its outbox. -#}
{% macro _anomaly_key(keys, columns, faults) %}
    {%- if keys is string or keys is not sequence or not keys -%}
        {%- do faults.append("`keys` is '" ~ keys
            ~ "'; list the columns that identify an anomaly, such as ['detector', 'carrier']") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set names = keys | map('string') | map('lower') | list -%}
    {%- if names | unique | list | length < names | length -%}
        {%- do faults.append("`keys` names a column twice: " ~ strandline._choices(keys)) -%}
    {%- endif -%}
    {%- set outbox = ['notification_key', 'kind', 'notified_at', 'members', 'unit',
        'measured_name', 'is_bound'] -%}
    {%- set reserved = strandline._anomaly_columns(['ends_month'] + outbox) -%}
    {%- for name in names if name in reserved -%}
        {%- do faults.append("`keys` has the column '" ~ name
            ~ "', which is also a column of the result or its "
            ~ "outbox; rename it in a staging model") -%}
    {%- endfor -%}
    {%- for name in keys if not strandline._is_column_name(name) -%}
        {%- do faults.append("`keys` has '" ~ name
            ~ "'; write the name of a column" ~ strandline._column_name_rule()) -%}
    {%- endfor -%}
    {%- for argument, name in columns.items() -%}
        {%- if not strandline._is_column_name(name)
            and not (name is none and argument in ['baseline', 'severity', 'labels']) -%}
            {%- do faults.append("`" ~ argument ~ "` is '" ~ name
                ~ "'; write the name of a column" ~ strandline._column_name_rule()) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}

{#- The thresholds as SQL literals, by name; none if unset. -#}
{% macro _anomaly_thresholds(given, faults) %}
    {%- set literals = {} -%}
    {%- for name, value in given.items() -%}
        {%- if value is not none and (value is not number or value is boolean
            or not 0 <= value < 1e300) -%}
            {%- do faults.append("`" ~ name ~ "` is '" ~ value
                ~ "'; write a number from 0 up (0 means any change), or leave it out (never)") -%}
        {%- endif -%}
        {%- do literals.update({name: none if value is none else value ~ 'D'}) -%}
    {%- endfor -%}
    {{- return(literals) -}}
{% endmacro %}

{#- The durations of a consolidation in microseconds, by name; none for optional ones that are
    unset. -#}
{% macro _anomaly_durations(given, faults) %}
    {%- set micros = {} -%}
    {%- for name, text in given.items() -%}
        {%- set may_be_none = name in ['mutability_period', 'notify_look_back'] -%}
        {%- set read = none if text is none else strandline._period(text).fixed -%}
        {%- if read is none and not (text is none and may_be_none) -%}
            {%- do faults.append("`" ~ name ~ "` is '" ~ text
                ~ "'; write a length of time such as '2 days' or 'PT15M' (months and years have no "
                ~ "fixed length)") -%}
        {%- elif read == 0 and name == 'granularity' -%}
            {%- do faults.append("`granularity` is '" ~ text
                ~ "'; it must be longer than zero, such as 'PT15M'") -%}
        {%- elif read == 0 and name == 'notify_look_back' -%}
            {%- do faults.append("`notify_look_back` is '" ~ text
                ~ "', and nobody would be notified of anything; it must be longer than zero, such "
                ~ "as 'P7D', or none (all are)") -%}
        {%- endif -%}
        {%- do micros.update({name: read}) -%}
    {%- endfor -%}
    {{- return(micros) -}}
{% endmacro %}

{#- The body of a table of consolidated anomalies. See _macros.yml. The body says what they are made of; how a run brings the
    stored table to what is detected now is the materialization's part, which finds the task in the first line. -#}
{% macro anomalies(detections, key, start='starts_at', end='ends_at', current='current_value', baseline='baseline_value',
    re_notify_percentage_threshold=none, re_notify_absolute_threshold=none, mutability_period=none, granularity='PT15M',
    completeness_delay='PT0S', merge_max_gap='PT1S', merge_max_duration='P7D', severity=none, labels=none, ignored='is_ignored', min_length='PT0S',
    notify_look_back=none, completed=false, feedback=none, clock=none) %}
    {%- do strandline._check_call('anomalies', kwargs, varargs, {
        'detections': [detections, "hand in a relation: ref('detections')"],
        'key': [key, "write the list of columns that tell anomalies apart, such as ['detector']"],
    }, ['start', 'end', 'current', 'baseline', 're_notify_percentage_threshold',
        're_notify_absolute_threshold', 'mutability_period', 'granularity', 'completeness_delay',
        'merge_max_gap', 'merge_max_duration', 'severity', 'labels', 'ignored', 'min_length',
        'notify_look_back', 'completed', 'feedback', 'clock']) -%}
    {%- set faults = [] -%}
    {%- set durations = strandline._anomaly_durations({
        'mutability_period': mutability_period, 'granularity': granularity, 'completeness_delay': completeness_delay,
        'merge_max_gap': merge_max_gap, 'merge_max_duration': merge_max_duration, 'min_length': min_length,
        'notify_look_back': notify_look_back,
    }, faults) -%}
    {%- set thresholds = strandline._anomaly_thresholds({
        're_notify_percentage_threshold': re_notify_percentage_threshold,
        're_notify_absolute_threshold': re_notify_absolute_threshold,
    }, faults) -%}
    {%- set columns = {'start': start, 'end': end, 'current': current, 'baseline': baseline, 'severity': severity, 'labels': labels} -%}
    {%- set key = strandline._anomaly_key(key, columns, faults) -%}
    {%- set detections = strandline._anomaly_relations(detections, feedback, faults) -%}
    {%- if completed not in [true, false] -%}
        {%- do faults.append("`completed` is '" ~ completed ~ "'; it must be true or false") -%}
    {%- endif -%}
    {%- if clock is not none and (clock is not string or not clock | trim) -%}
        {%- do faults.append("`clock` is '" ~ clock ~ "'; write a SQL expression of one TIMESTAMP, such as "
            ~ "'(select max(ts) from ' ~ ref('flights') ~ ')'") -%}
    {%- endif -%}
    {%- if not strandline._is_identifier(ignored) -%}
        {%- do faults.append("`ignored` is '" ~ ignored ~ "'; write the name of a BOOLEAN column, such as 'is_ignored'") -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies', faults) -%}

    {{- config(materialized='strandline_anomalies', file_format='delta', unique_key='anomaly_id', partition_by=['ends_month']) -}}
    {%- if execute -%}
        {%- set labels_are = strandline._check_detections(detections, key, columns) -%}
        {%- set task = strandline._anomalies_task(key, columns, durations, {
            'detections': detections | map('string') | list,
            'ignored': strandline._ignored_columns(detections, ignored),
            'feedback': none if feedback is none else feedback | string,
            'clock': clock, 'completed': completed, 'labels': labels_are,
            'absolute': thresholds.re_notify_absolute_threshold,
            'percentage': thresholds.re_notify_percentage_threshold,
        }) -%}
        {{- strandline._task_line(task) }}
{{ strandline._detected(task) }}
    {%- endif -%}
{% endmacro %}

{#- The body of a view of the buckets that differ by more than a percentage from the bucket at an
    offset. See _macros.yml. -#}
{% macro percentage_change_detector(source, ts, value, granularity, offset, percentage, keys=[],
    pattern='up_or_down', detector='percentage_change', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none) %}
    {%- do strandline._check_call('percentage_change_detector', kwargs, varargs, {
        'source': [source, "pass a relation of buckets: ref('flights_hours')"],
        'ts': [ts, "name the column of the bucket's start"],
        'value': [value, "name the column to evaluate"],
        'granularity': [granularity, "write the length of a bucket, such as 'PT1H'"],
        'offset': [offset, "write the distance to the compared bucket, such as 'P7D'"],
        'percentage': [percentage, "write a number from 0 up, in per cent"],
    }, ['keys', 'pattern', 'detector', 'missing', 'until', 'time_zone', 'arrival', 'severity',
        'description']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._detector_task('percentage_change_detector', source, {
        'keys': keys, 'ts': ts, 'value': value, 'granularity': granularity, 'detector': detector,
        'missing': missing, 'until': until, 'time_zone': time_zone, 'arrival': arrival,
        'severity': severity, 'description': description,
    }, {'offset': offset}, faults) -%}
    {%- set percentage = strandline._detector_number('percentage', percentage, 0, 1e100,
        'a number from 0 up, in per cent (0 means any change)',
        faults) -%}
    {%- do strandline._check_pattern(pattern, faults) -%}
    {%- do strandline._refuse('percentage_change_detector', faults) -%}
{{ strandline._buckets(task) }},

{{ strandline._classified_changes(task, 'abs(__baseline) * ' ~ percentage ~ ' / 100',
    pattern) }}

{{ strandline._detections(task) }}
{% endmacro %}

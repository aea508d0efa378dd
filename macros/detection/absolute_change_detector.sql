{#- The body of a view of the buckets that differ by more than an amount from the bucket at an
    offset. See _macros.yml. -#}
{% macro absolute_change_detector(source, ts, value, granularity, offset, change, keys=[],
    pattern='up_or_down', detector='absolute_change', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none) %}
    {%- set read = strandline._arguments(strandline._caller('absolute_change_detector'), kwargs,
        varargs, strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
    }, {
        'offset': ['any', offset, "write the distance to the compared bucket, such as 'P7D'"],
        'change': ['number', change, 'write a number from 0 up (0 means any change)',
            {'from': 0, 'to': 1e300}],
        'pattern': strandline._pattern_argument(pattern),
    })) -%}
    {%- set task = strandline._detector_task('absolute_change_detector', read,
        {'offset': offset}) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
{{ strandline._buckets(task) }},

{{ strandline._classified_changes(task, change ~ 'D', pattern) }}

{{ strandline._detections(task) }}
{% endmacro %}

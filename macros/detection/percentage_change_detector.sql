{#- The body of a view of the buckets that differ by more than a percentage from the bucket at an
    offset. See _macros.yml. -#}
{% macro percentage_change_detector(source, ts, value, granularity, offset, percentage, keys=[],
    pattern='up_or_down', detector='percentage_change', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none) %}
    {%- set read = strandline._arguments(strandline._caller('percentage_change_detector'), kwargs,
        varargs, strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
    }, {
        'offset': ['any', offset, "write the distance to the compared bucket, such as 'P7D'"],
        'percentage': ['number', percentage,
            'write a number from 0 up, in per cent (0 means any change)',
            {'from': 0, 'to': 1e100}],
        'pattern': strandline._pattern_argument(pattern),
    })) -%}
    {%- set task = strandline._detector_task('percentage_change_detector', read,
        {'offset': offset}) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
{{ strandline._buckets(task) }},

{{ strandline._classified_changes(task, 'abs(__baseline) * ' ~ percentage ~ 'D / 100',
    pattern) }}

{{ strandline._detections(task) }}
{% endmacro %}

{#- The body of a view of the buckets that lie too far from the mean of those before, in standard deviations. See _macros.yml. -#}
{% macro mean_variance_detector(relation, key, ts, value, granularity, lookback, seasonality=none, sensitivity=5, pattern='up_or_down',
    min_values=2, detector='mean_variance', missing='null', until=none, zone='UTC') %}
    {%- do strandline._check_call('mean_variance_detector', kwargs, varargs, {
        'relation': [relation, "hand in a relation of buckets: ref('flights_hours')"],
        'key': [key, "write a list of columns, such as ['origin'], or [] for one series"],
        'ts': [ts, "name the column of the bucket's start"],
        'value': [value, "name the column to be judged"],
        'granularity': [granularity, "write the length of a bucket, such as 'PT1H'"],
        'lookback': [lookback, "write how far back the mean goes, such as 'P30D'"],
    }, ['seasonality', 'sensitivity', 'pattern', 'min_values', 'detector', 'missing',
        'until', 'zone']) -%}
    {%- set faults = [] -%}
    {%- set periods = {'lookback': lookback} -%}
    {%- if seasonality is not none -%}{%- do periods.update({'seasonality': seasonality}) -%}{%- endif -%}
    {%- set task = strandline._detector_task('mean_variance_detector', relation, {
        'key': key, 'ts': ts, 'value': value, 'granularity': granularity, 'detector': detector, 'missing': missing, 'until': until, 'zone': zone,
    }, periods, faults) -%}
    {%- do strandline._detector_number('sensitivity', sensitivity, 0, 10, 'a number from 0 to 10 (10 finds most)', faults) -%}
    {%- do strandline._check_pattern(pattern, faults) -%}
    {%- do strandline._check_min_values(min_values, task, faults) -%}
    {%- do strandline._refuse('mean_variance_detector', faults) -%}
{{ strandline._buckets(task) }},

{{ strandline._mean_variance_judged(task, 0.5 + (10 - sensitivity) / 10, pattern, min_values) }}

{{ strandline._detections(task) }}
{% endmacro %}

{#- The body of a view of the buckets that lie too far from the mean of those before, in standard deviations. See _macros.yml. -#}
{% macro mean_variance_detector(relation, key, ts, value, granularity, lookback, seasonality=none, sensitivity=5, pattern='up_or_down',
    min_values=2, detector='mean_variance', missing='null', until=none, zone='UTC') %}
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

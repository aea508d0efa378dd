{#- The body of a view of the buckets that are too far from the mean of the buckets before them, in
    standard deviations. See _macros.yml. -#}
{% macro mean_variance_detector(source, ts, value, granularity, lookback, keys=[], seasonality=none,
    sensitivity=none, pattern='up_or_down', min_values=2, detector='mean_variance', missing='null',
    until=none, time_zone='UTC', arrival=none, severity=none, description=none, deviations=none) %}
    {%- do strandline._check_call('mean_variance_detector', kwargs, varargs, {
        'source': [source, "pass a relation of buckets: ref('flights_hours')"],
        'ts': [ts, "name the column of the bucket's start"],
        'value': [value, "name the column to evaluate"],
        'granularity': [granularity, "write the length of a bucket, such as 'PT1H'"],
        'lookback': [lookback, "write the time over which the mean is computed, such as 'P30D'"],
    }, ['keys', 'seasonality', 'sensitivity', 'pattern', 'min_values', 'detector', 'missing',
        'until', 'time_zone', 'arrival', 'severity', 'description', 'deviations']) -%}
    {%- set faults = [] -%}
    {%- set periods = {'lookback': lookback} -%}
    {%- if seasonality is not none -%}
        {%- do periods.update({'seasonality': seasonality}) -%}
    {%- endif -%}
    {%- set task = strandline._detector_task('mean_variance_detector', source, {
        'keys': keys, 'ts': ts, 'value': value, 'granularity': granularity, 'detector': detector,
        'missing': missing, 'until': until, 'time_zone': time_zone, 'arrival': arrival,
        'severity': severity, 'description': description,
    }, periods, faults) -%}
    {%- set sigma = strandline._sigma(sensitivity, deviations, faults) -%}
    {%- do strandline._check_pattern(pattern, faults) -%}
    {%- do strandline._check_min_values(min_values, task, faults) -%}
    {%- do strandline._refuse('mean_variance_detector', faults) -%}
{{ strandline._buckets(task) }},

{{ strandline._classified_by_variance(task, sigma, pattern, min_values) }}

{{ strandline._detections(task) }}
{% endmacro %}

{#- How many standard deviations from the mean the bounds are: `deviations`, or by the scale of
    `sensitivity`, whose default is 5. Appends faults. -#}
{% macro _sigma(sensitivity, deviations, faults) %}
    {%- if deviations is none -%}
        {%- set given = 5 if sensitivity is none else sensitivity -%}
        {%- do strandline._detector_number('sensitivity', given, 0, 10,
            'a number from 0 to 10 (10 finds most)', faults) -%}
        {{- return(none if faults else 0.5 + (10 - given) / 10) -}}
    {%- endif -%}
    {%- if sensitivity is not none -%}
        {%- do faults.append("`sensitivity` and `deviations` are both given, and each is the "
            ~ "distance of the bounds; leave one of them out") -%}
    {%- endif -%}
    {%- do strandline._detector_number('deviations', deviations, 0, 100,
        'a number of standard deviations from 0 to 100, such as 3', faults) -%}
    {{- return(deviations) -}}
{% endmacro %}

{#- Appends a fault if there are fewer values than a standard deviation needs, or more than the
    look-back can contain: then no bucket would ever be evaluated. -#}
{% macro _check_min_values(min_values, task, faults) %}
    {%- if min_values is not integer or min_values is boolean or min_values < 2 -%}
        {%- do faults.append("`min_values` is '" ~ min_values
            ~ "'; write a whole number from 2 up: a standard deviation needs two values") -%}
    {%- elif not faults -%}
        {%- set step = task.periods.get('seasonality', {'length': task.granularity.step}).length -%}
        {%- set value_count = task.periods.lookback.length // step -%}
        {%- if value_count < min_values -%}
            {%- do faults.append("`lookback` has " ~ value_count
                ~ (' value' if value_count == 1 else ' values')
                ~ " of one position in the season, and `min_values` is "
                ~ min_values ~ "; use a longer look-back, because no bucket would be evaluated") -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}

{#- The CTE `classified` of `mean_variance_detector`: each bucket with the mean and bounds of the
    values of its position in the season within the look-back before it. For equal values the
    deviation is set to zero and the mean to the value, whatever rounding gives. -#}
{% macro _classified_by_variance(task, sigma, pattern, min_values) -%}
{%- set order = strandline._compared_bucket(task) -%}
{%- set season = task.periods.seasonality.length if 'seasonality' in task.periods else none -%}
__compared as (
    select *, struct(
        count(__finite) over before as value_count,
        min(__finite) over before as least,
        max(__finite) over before as most,
        avg(__finite) over before as mean,
        stddev_samp(__finite) over before as deviation
    ) as __before
    from (select *, if(abs(__value) < double('Infinity'), __value, null)
        as __finite from __buckets)
    window before as (
        {{ strandline._series(task, order,
            season) }} range between {{ task.periods.lookback.length }}L preceding and 1L preceding
    )
),

__classified as (
    select
        *,
        {{ 'cast(null as double)' if pattern == 'up'
            else '__baseline - __margin' }} as __lower,
        {{ 'cast(null as double)' if pattern == 'down'
            else '__baseline + __margin' }} as __upper
    from (
        select
            *,
            if(__before.least = __before.most, __before.least,
                __before.mean) as __baseline,
            if(__before.least = __before.most, 0D,
                {{ sigma }}D * __before.deviation) as __margin
        from __compared
        where __before.value_count >= {{ min_values }}
    )
)
{%- endmacro %}

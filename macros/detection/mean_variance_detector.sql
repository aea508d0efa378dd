{#- The body of a view of the buckets that are too far from the mean of the buckets before them, in
    standard deviations. See _macros.yml. -#}
{% macro mean_variance_detector(source, ts, value, granularity, lookback, keys=[], seasonality=none,
    sensitivity=none, pattern='up_or_down', min_values=2, detector='mean_variance', missing='null',
    until=none, time_zone='UTC', arrival=none, severity=none, description=none, deviations=none) %}
    {%- set read = strandline._arguments(strandline._caller('mean_variance_detector'), kwargs,
        varargs, strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
    }, {
        'lookback': ['any', lookback,
            "write the time over which the mean is computed, such as 'P30D'"],
        'seasonality': ['any', seasonality],
        'sensitivity': ['number', sensitivity, 'write a number from 0 to 10 (10 finds most)',
            {'optional': true, 'from': 0, 'to': 10}],
        'pattern': strandline._pattern_argument(pattern),
        'min_values': ['count', min_values,
            'write a whole number from 2 up: a standard deviation needs two values', {'from': 2}],
        'deviations': ['number', deviations,
            'write a number of standard deviations from 0 to 100, such as 3',
            {'optional': true, 'from': 0, 'to': 100}],
    })) -%}
    {%- set task = strandline._detector_task('mean_variance_detector', read,
        dict({'lookback': lookback},
            **({} if seasonality is none else {'seasonality': seasonality}))) -%}
    {%- if deviations is not none and sensitivity is not none -%}
        {%- do read.faults.append("`sensitivity` and `deviations` are both given, and each is the "
            ~ "distance of the bounds; leave one of them out") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, read.faults or strandline._lookback_values(task,
        min_values)) -%}
    {#- The scale of `sensitivity`, whose default is 5, in standard deviations. -#}
    {%- set sigma = deviations if deviations is not none
        else 0.5 + (10 - (5 if sensitivity is none else sensitivity)) / 10 -%}
{{ strandline._buckets(task) }},

{{ strandline._classified_by_variance(task, sigma, pattern, min_values) }}

{{ strandline._detections(task) }}
{% endmacro %}

{#- The fault of a look-back that has fewer values than a bucket needs: none would be evaluated. -#}
{% macro _lookback_values(task, min_values) %}
    {%- set step = task.periods.get('seasonality', {'length': task.granularity.step}).length -%}
    {%- set value_count = task.periods.lookback.length // step -%}
    {{- return([] if value_count >= min_values else ["`lookback` has " ~ value_count
        ~ (' value' if value_count == 1 else ' values')
        ~ " of one position in the season, and `min_values` is " ~ min_values
        ~ "; use a longer look-back, because no bucket would be evaluated"]) -}}
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

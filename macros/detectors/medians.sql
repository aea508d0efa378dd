{#- The body of a view of the buckets that are too far from the median of the buckets before them,
    in median absolute deviations. See _macros.yml. -#}
{% macro median_detector(source, ts, value, granularity, lookback, keys=[], seasonality=none,
    deviations=8, min_change=0, pattern='up_or_down', min_values=4, detector='median',
    missing='null', until=none, time_zone='UTC', arrival=none, severity=none, description=none,
    min_duration=none, exclude=none, exclude_keys=[]) %}
    {%- set read = strandline._arguments(strandline._caller('median_detector'), kwargs, varargs,
        strandline._trained_arguments(exclude, exclude_keys, {
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
        'min_duration': min_duration,
    }, {
        'lookback': ['any', lookback,
            "write the time over which the median is computed, such as 'P28D'"],
        'seasonality': ['any', seasonality],
        'deviations': strandline._deviations_argument(deviations),
        'min_change': strandline._min_change_argument(min_change),
        'pattern': strandline._pattern_argument(pattern),
        'min_values': ['count', min_values, 'write a whole number from 2 up', {'from': 2}],
    })) -%}
    {%- set task = strandline._detector_task(read, dict({'lookback': lookback},
        **({} if seasonality is none else {'seasonality': seasonality}))) -%}
    {%- do strandline._refuse(read.who, read.faults or strandline._lookback_values(task,
        min_values)) -%}
{{ strandline._buckets(task) }},

{{ strandline._classified_by_median(task, strandline._lookback_window(task), deviations,
    min_change, pattern, min_values) }}

{{ strandline._detections(task) }}
{% endmacro %}

{#- The body of a view of the buckets that are too far from the median of their peers at the same
    time, in median absolute deviations. See _macros.yml. -#}
{% macro peer_detector(source, ts, value, granularity, keys, group=[], deviations=8, min_change=0,
    pattern='up_or_down', min_peers=4, detector='peer', missing='null', until=none,
    time_zone='UTC', arrival=none, severity=none, description=none, min_duration=none) %}
    {%- set read = strandline._arguments(strandline._caller('peer_detector'), kwargs, varargs,
        strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
        'min_duration': min_duration,
    }, {
        'group': ['columns', group, "list the columns of `keys` that peers have in common, such as "
            ~ "['site'], or [] if all series are peers", {'type': 'comparable'}],
        'deviations': strandline._deviations_argument(deviations),
        'min_change': strandline._min_change_argument(min_change),
        'pattern': strandline._pattern_argument(pattern),
        'min_peers': ['count', min_peers, 'write a whole number from 2 up', {'from': 2}],
    })) -%}
    {%- set task = strandline._detector_task(read, {}) -%}
    {%- set group = read.group | map('lower') | list -%}
    {%- for column in group if column not in task['keys'] -%}
        {%- do read.faults.append("`group` has the column '" ~ column ~ "', which is none of "
            ~ "`keys`: " ~ task['keys'] | join(', ') ~ "; peers are series that have it in common")
            -%}
    {%- endfor -%}
    {%- if not read.faults and group | length == task['keys'] | length -%}
        {%- do read.faults.append("`group` has all columns of `keys`, so that no series has a "
            ~ "peer; leave out the one that tells peers apart") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
{{ strandline._buckets(task) }},

{{ strandline._classified_by_median(task, 'partition by ' ~ (strandline._all_quoted(group)
    + ['__position']) | join(', '), deviations, min_change, pattern, min_peers) }}

{{ strandline._detections(task) }}
{% endmacro %}

{#- The body of a view of the buckets that are beyond a quantile of the buckets before them. See
    _macros.yml. -#}
{% macro quantile_detector(source, ts, value, granularity, lookback, lower=none, upper=none,
    keys=[], seasonality=none, min_change=0, min_values=10, detector='quantile', missing='null',
    until=none, time_zone='UTC', arrival=none, severity=none, description=none,
    min_duration=none, exclude=none, exclude_keys=[]) %}
    {%- set share = {'optional': true, 'from': 0, 'to': 1} -%}
    {%- set read = strandline._arguments(strandline._caller('quantile_detector'), kwargs, varargs,
        strandline._trained_arguments(exclude, exclude_keys, {
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
        'min_duration': min_duration,
    }, {
        'lookback': ['any', lookback,
            "write the time over which the quantiles are computed, such as 'P84D'"],
        'seasonality': ['any', seasonality],
        'lower': ['number', lower, 'write a share from 0 to 1, such as 0.01, or leave it out',
            share],
        'upper': ['number', upper, 'write a share from 0 to 1, such as 0.99, or leave it out',
            share],
        'min_change': strandline._min_change_argument(min_change),
        'min_values': ['count', min_values, 'write a whole number from 2 up', {'from': 2}],
    })) -%}
    {%- set task = strandline._detector_task(read, dict({'lookback': lookback},
        **({} if seasonality is none else {'seasonality': seasonality}))) -%}
    {%- if lower is none and upper is none -%}
        {%- do read.faults.append("`lower` and `upper` are both missing; write at least one of "
            ~ "them, such as lower=0.01") -%}
    {%- elif not read.faults and lower is not none and upper is not none and lower > upper -%}
        {%- do read.faults.append("`lower` is '" ~ lower ~ "' and `upper` is '" ~ upper
            ~ "'; lower must not be above upper") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, read.faults or strandline._lookback_values(task,
        min_values)) -%}
{{ strandline._buckets(task) }},

__classified as (
    select
        *,
        {{ strandline._median('__values') }} as __baseline,
        {{ 'cast(null as double)' if lower is none
            else strandline._quantile('__values', lower) ~ ' - ' ~ min_change ~ 'D' }} as __lower,
        {{ 'cast(null as double)' if upper is none
            else strandline._quantile('__values', upper) ~ ' + ' ~ min_change ~ 'D' }} as __upper
    from (
        select *, collect_list(__finite) over before as __given_values
        from {{ strandline._finite_buckets(task) }}
        window before as ({{ strandline._lookback_window(task) }})
    )
    {{ strandline._evaluated('sort_array(__given_values)', '__values') }}
    where size(__values) >= {{ min_values }}
)

{{ strandline._detections(task) }}
{% endmacro %}

{#- A quantile of an array in order: between two values in proportion, as Spark's `percentile`; null
    of an empty one. -#}
{% macro _quantile(values, share) %}
    {%- set place = '(' ~ share ~ 'D * (size(' ~ values ~ ') - 1))' -%}
    {%- set below = 'get(' ~ values ~ ', cast(floor(' ~ place ~ ') as int))' -%}
    {%- set above = 'get(' ~ values ~ ', cast(ceil(' ~ place ~ ') as int))' -%}
    {{- return('(' ~ below ~ ' + (' ~ place ~ ' - floor(' ~ place ~ ')) * (' ~ above ~ ' - '
        ~ below ~ '))') -}}
{% endmacro %}

{#- A number of deviations, of the kind that is named, for `_arguments`. -#}
{% macro _deviations_argument(deviations, kind='median absolute deviations', usual=8) %}
    {{- return(['number', deviations,
        'write a number of ' ~ kind ~ ' from 0 to 1000, such as ' ~ usual,
        {'from': 0, 'to': 1000}]) -}}
{% endmacro %}

{#- The least distance of a value that is found, for `_arguments`. -#}
{% macro _min_change_argument(min_change) %}
    {{- return(['number', min_change, 'write a number from 0 up, the least change that matters',
        {'from': 0, 'to': 1e300}]) -}}
{% endmacro %}

{#- The CTE `classified` of detectors by a median: each bucket with the median and bounds of the
    values in a window. These are an array in order, and so are their distances from its
    median. -#}
{% macro _classified_by_median(task, window, deviations, min_change, pattern, min_values) -%}
{%- set distances = 'sort_array(transform(__values, __value -> abs(__value - __baseline)))' -%}
__compared as (
    select *, collect_list(__finite) over before as __given_values
    from {{ strandline._finite_buckets(task) }}
    window before as ({{ window }})
),

__classified as (
    select *, {{ strandline._bounds_around('__margin', pattern) }}
    from __compared
    {{ strandline._evaluated('sort_array(__given_values)', '__values') }}
    {{ strandline._evaluated(strandline._median('__values'), '__baseline') }}
    {{ strandline._evaluated(distances, '__distances') }}
    {{ strandline._evaluated('greatest(' ~ deviations ~ 'D * ' ~ strandline._median('__distances')
        ~ ', ' ~ min_change ~ 'D)', '__margin') }}
    where size(__values) >= {{ min_values }}
)
{%- endmacro %}

{#- A column of a value that Spark evaluates once for each row. A column of a subquery would be
    written into each filter above it, and there into a lambda function: an array would be sorted
    again for each of its elements. -#}
{% macro _evaluated(value, name) %}
    {{- return('lateral view explode(array(' ~ value ~ ')) ' ~ name ~ '_view as ' ~ name) -}}
{% endmacro %}

{#- The median of an array in order: the middle value, or the mean of the two in the middle; null of
    an empty one, which Spark may evaluate before the filter that leaves it out. -#}
{% macro _median(values) %}
    {{- return('((get(' ~ values ~ ', (size(' ~ values ~ ') - 1) div 2) + get(' ~ values ~ ', size('
        ~ values ~ ') div 2)) / 2)') -}}
{% endmacro %}

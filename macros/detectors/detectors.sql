{#- The body of a view of the buckets whose value is beyond a bound. See _macros.yml. -#}
{% macro threshold_detector(source, ts, value, granularity, keys=[], min=none, max=none,
    inclusive=false, detector='threshold', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none, min_inclusive=none, max_inclusive=none,
    min_duration=none) %}
    {%- set read = strandline._arguments(strandline._caller('threshold_detector'), kwargs, varargs,
        strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
        'min_duration': min_duration,
    }, dict(
        strandline._bounds_arguments(min, max, inclusive, 'is found'),
        min_inclusive=strandline._inclusive_argument('min', min_inclusive),
        max_inclusive=strandline._inclusive_argument('max', max_inclusive)))) -%}
    {%- set task = strandline._detector_task(read, {}) -%}
    {%- set bounds = strandline._bounds(read) -%}
    {%- set equal = strandline._or_equal(read) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set lower = bounds.min or 'cast(null as double)' -%}
    {%- set upper = bounds.max or 'cast(null as double)' -%}
{{ strandline._buckets(task) }},

__classified as (
    select
        *,
        {{ lower }} as __lower,
        {{ upper }} as __upper,
        if(__value <{{ equal.min }} {{ lower }}, {{ lower }}, {{ upper }})
            as __baseline
    from __buckets
)

{{ strandline._detections(task, equal.min, equal.max) }}
{% endmacro %}

{#- The arguments `min`, `max` and `inclusive`, for `_arguments`. `meaning` is what a value equal to
    a bound does if `inclusive` is true. -#}
{% macro _bounds_arguments(min, max, inclusive, meaning) %}
    {%- set bound = {'optional': true, 'from': -1e300, 'to': 1e300} -%}
    {{- return({
        'min': ['number', min, 'write a number, or leave it out', bound],
        'max': ['number', max, 'write a number, or leave it out', bound],
        'inclusive': ['flag', inclusive,
            'write true (a value that equals a bound ' ~ meaning ~ ') or false'],
    }) -}}
{% endmacro %}

{#- The argument `min_inclusive` or `max_inclusive`, for `_arguments`. -#}
{% macro _inclusive_argument(name, value) %}
    {{- return(['flag', value, "write true (a value that equals `" ~ name ~ "` is found), false, "
        ~ "or leave it out (as `inclusive`)", {'optional': true}]) -}}
{% endmacro %}

{#- `=` for each bound that is inclusive, otherwise empty text: by its own argument, or by
    `inclusive`. Appends faults. -#}
{% macro _or_equal(read) %}
    {%- set equal = {} -%}
    {%- for name in ['min', 'max'] -%}
        {%- set value = read[name ~ '_inclusive'] -%}
        {%- if value is not none and read[name] is none -%}
            {%- do read.faults.append("`" ~ name ~ "_inclusive` is given, and `" ~ name
                ~ "` is missing; write `" ~ name ~ "`, or leave it out") -%}
        {%- endif -%}
        {%- do equal.update({name: '=' if (read.inclusive if value is none else value) else ''}) -%}
    {%- endfor -%}
    {{- return(equal) -}}
{% endmacro %}

{#- The bounds `min` and `max` as SQL literals of doubles; none for one that is missing. Appends
    faults. -#}
{% macro _bounds(read) %}
    {%- if read.min is none and read.max is none -%}
        {%- do read.faults.append("`min` and `max` are both missing; write at least one of them")
            -%}
    {%- elif not read.faults and read.min is not none and read.max is not none
        and read.min > read.max -%}
        {%- do read.faults.append("`min` is '" ~ read.min ~ "' and `max` is '" ~ read.max
            ~ "'; min must not be above max") -%}
    {%- endif -%}
    {{- return({'min': none if read.min is none else read.min ~ 'D',
        'max': none if read.max is none else read.max ~ 'D'}) -}}
{% endmacro %}

{#- The body of a view of the buckets that differ by more than a percentage from the bucket at an
    offset. See _macros.yml. -#}
{% macro percentage_change_detector(source, ts, value, granularity, offset, percentage, keys=[],
    pattern='up_or_down', detector='percentage_change', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none, min_duration=none, exclude=none,
    exclude_keys=[]) %}
    {%- set read = strandline._arguments(strandline._caller('percentage_change_detector'), kwargs,
        varargs, strandline._trained_arguments(exclude, exclude_keys, {
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
        'min_duration': min_duration,
    }, {
        'offset': ['any', offset, "write the distance to the compared bucket, such as 'P7D'"],
        'percentage': ['number', percentage,
            'write a number from 0 up, in per cent (0 means any change)',
            {'from': 0, 'to': 1e100}],
        'pattern': strandline._pattern_argument(pattern),
    })) -%}
{{ strandline._change_detector(read, 'abs(__baseline) * ' ~ read.percentage ~ 'D / 100') }}
{% endmacro %}

{#- The body of a view of the buckets that differ by more than an amount from the bucket at an
    offset. See _macros.yml. -#}
{% macro absolute_change_detector(source, ts, value, granularity, offset, change, keys=[],
    pattern='up_or_down', detector='absolute_change', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none, min_duration=none, exclude=none,
    exclude_keys=[]) %}
    {%- set read = strandline._arguments(strandline._caller('absolute_change_detector'), kwargs,
        varargs, strandline._trained_arguments(exclude, exclude_keys, {
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
        'min_duration': min_duration,
    }, {
        'offset': ['any', offset, "write the distance to the compared bucket, such as 'P7D'"],
        'change': ['number', change, 'write a number from 0 up (0 means any change)',
            {'from': 0, 'to': 1e300}],
        'pattern': strandline._pattern_argument(pattern),
    })) -%}
{{ strandline._change_detector(read, read.change ~ 'D') }}
{% endmacro %}

{#- The query of a change detector: the buckets that differ from the one at `offset` by more than
    `margin`, an SQL expression over its value `__baseline`. A window range of one position finds
    that bucket without another sort. In a repeated hour the first pass is used. -#}
{% macro _change_detector(read, margin) %}
    {%- set task = strandline._detector_task(read, {'offset': read.offset}) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set order = strandline._compared_bucket(task) -%}
    {%- set offset = task.periods.offset.length ~ 'L preceding' -%}
{{ strandline._buckets(task) }},

__compared as (
    select
        *,
        {{ 'min_by(__finite, __start)' if task.is_local
            else 'max(__finite)' }} over (
            {{ strandline._series(task, order) }} range between {{ offset }} and {{ offset }}
        ) as __baseline
    from {{ strandline._finite_buckets(task) }}
),

__classified as (
    select
        *,
        {{ strandline._bounds_around(margin, read.pattern) }}
    from __compared
    where __baseline is not null
)

{{ strandline._detections(task) }}
{% endmacro %}

{#- The body of a view of the buckets that are too far from the mean of the buckets before them, in
    standard deviations. See _macros.yml. -#}
{% macro mean_variance_detector(source, ts, value, granularity, lookback, keys=[], seasonality=none,
    sensitivity=none, pattern='up_or_down', min_values=2, detector='mean_variance', missing='null',
    until=none, time_zone='UTC', arrival=none, severity=none, description=none, deviations=none,
    min_duration=none, exclude=none, exclude_keys=[]) %}
    {%- set read = strandline._arguments(strandline._caller('mean_variance_detector'), kwargs,
        varargs, strandline._trained_arguments(exclude, exclude_keys, {
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
        'min_duration': min_duration,
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
    {%- set task = strandline._detector_task(read, dict({'lookback': lookback},
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

{#- The buckets with `__finite`, their value if it can be a part of a baseline: no infinite value,
    and none of a bucket that overlaps an excluded range. -#}
{% macro _finite_buckets(task) %}
    {%- set is_finite = "abs(__value) < double('Infinity')" -%}
    {%- if task.exclude is none -%}
        {{- return('(select *, if(' ~ is_finite ~ ', __value, null) as __finite from __buckets)')
            -}}
    {%- endif -%}
    {%- set next = '(__given.__position + ' ~ task.granularity.step ~ 'L)' -%}
    {%- set is_excluded = strandline._overlaps('__event', '__given.__start',
        strandline._bucket_number_start(next, task), task.exclude_keys) -%}
    {{- return('(select __given.*, if(' ~ is_finite ~ ' and not exists(__excluded.__events, '
        ~ '__event -> ' ~ is_excluded ~ '), __value, null) as __finite from __buckets as __given '
        ~ 'cross join (' ~ strandline._events_value(task.who, task.exclude,
            {'start': 'starts_at', 'end': 'ends_at'}, [strandline._label_period(none)] * 2,
            task.exclude_keys, task.time_zone) ~ ') as __excluded)') -}}
{% endmacro %}

{#- The buckets before a bucket within its look-back, of its position in the season if there is
    one. -#}
{% macro _lookback_window(task) %}
    {%- set season = task.periods.seasonality.length if 'seasonality' in task.periods else none -%}
    {{- return(strandline._series(task, strandline._compared_bucket(task), season)
        ~ ' range between ' ~ task.periods.lookback.length ~ 'L preceding and 1L preceding') -}}
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
__compared as (
    select *, struct(
        count(__finite) over before as value_count,
        min(__finite) over before as least,
        max(__finite) over before as most,
        avg(__finite) over before as mean,
        stddev_samp(__finite) over before as deviation
    ) as __before
    from {{ strandline._finite_buckets(task) }}
    window before as ({{ strandline._lookback_window(task) }})
),

__classified as (
    select
        *,
        {{ strandline._bounds_around('__margin', pattern) }}
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

{#- The position by which buckets are compared: their own, or the local time if a period in days is
    counted in hours, so that 08:00 is compared with 08:00 across a clock change. Then the two
    passes of a repeated hour have the same position. -#}
{% macro _compared_bucket(task) %}
    {{- return('unix_micros(' ~ strandline._local('__start', task.time_zone) ~ ')'
        if task.is_local else '__position') -}}
{% endmacro %}

{#- A window over the buckets of one key, and of one position in the season if there is one. -#}
{% macro _series(task, order, season=none) %}
    {%- set parts = strandline._all_quoted(task['keys']) + ([] if season is none
        else ['pmod(' ~ order ~ ', ' ~ season ~ 'L)']) -%}
    {{- return(('partition by ' ~ parts | join(', ') ~ ' ' if parts else '') ~ 'order by '
        ~ order) -}}
{% endmacro %}

{#- The arguments of a detector, for `_arguments`: those of all detectors, of which some are not
    `given` to a kind that lacks them, and the `own` ones of one kind. -#}
{% macro _detector_arguments(given, own) %}
    {%- set text = {'optional': true} -%}
    {%- set reserved = {'names': strandline._detection_columns() + ['lower_bound', 'upper_bound'],
        'why': 'which is also a column of the result'} -%}
    {%- set declared = {
        'source': ['relation', given.source, "write ref(…), source(...) or a query in "
            ~ "parentheses, such as strandline.aggregation_within(...) gives", {'query': true}],
        'ts': ['column', given.ts, "name the column of the bucket's start",
            {'type': 'timestamp', 'take': 'take a TIMESTAMP, the instant at which a bucket begins, '
                ~ 'such as agg_timestamp of an aggregation'}],
        'value': ['column', given.value, "name the column to evaluate", {'type': 'number'}],
        'granularity': ['any', given.granularity,
            "write the length of a bucket, such as 'PT1H'"],
        'keys': ['columns', given['keys'], "list the columns that identify a series, such as "
            ~ "['carrier'], or [] for one series", {'type': 'comparable', 'reserved': reserved}],
        'detector': ['text', given.detector, "write a name, such as 'few_flights'"],
        'missing': ['choice', given.missing, "write 'null' (a missing bucket is not evaluated) or "
            ~ "'zero' (it counts as 0)", {'of': ['null', 'zero']}],
        'until': ['text', given.until, "write a SQL expression of one TIMESTAMP, such as '(select "
            ~ "max(ts) from ' ~ ref('flights') ~ ')'", text],
        'time_zone': ['zone', given.time_zone],
        'arrival': ['column', given.arrival, none, {'optional': true}],
        'severity': ['text', given.severity, "write a text, such as 'high', or leave it out", text],
        'description': ['text', given.description,
            "write a text, such as 'fewer flights than usual', or leave it out", text],
        'min_duration': ['any', given.min_duration],
    } -%}
    {%- set read = {} -%}
    {%- for name in declared if name in given -%}
        {%- do read.update({name: declared[name]}) -%}
    {%- endfor -%}
    {{- return(dict(read, **own)) -}}
{% endmacro %}

{#- The arguments of a detector with a baseline: as `_detector_arguments`, and the ranges that are
    no part of it. -#}
{% macro _trained_arguments(exclude, exclude_keys, given, own) %}
    {{- return(dict(strandline._detector_arguments(given, own),
        exclude=['relation', exclude, "write ref(…), source(...) or a query in parentheses, whose "
            ~ "rows have starts_at and ends_at", {'query': true, 'optional': true}],
        exclude_keys=['columns', exclude_keys, "list the columns of `keys` that the ranges have, "
            ~ "such as ['carrier'], or [] if they are those of all series",
            {'type': 'comparable', 'of': ['source', 'exclude']}])) -}}
{% endmacro %}

{#- Appends faults of the ranges that are no part of a baseline. -#}
{% macro _check_excluded(read) %}
    {%- if read.exclude is none and read.exclude_keys -%}
        {%- do read.faults.append("`exclude_keys` is given, and `exclude` is missing; write "
            ~ "`exclude`, or leave it out") -%}
    {%- endif -%}
    {%- set keys = read['keys'] | map('lower') | list -%}
    {%- for column in read.exclude_keys if column | lower not in keys -%}
        {%- do read.faults.append("`exclude_keys` has the column '" ~ column ~ "', which is none "
            ~ "of `keys`: " ~ keys | join(', ')) -%}
    {%- endfor -%}
    {%- for column in ['starts_at', 'ends_at'] if read.exclude is not none -%}
        {%- do strandline._check_column('exclude', column, read.exclude, read.types.exclude,
            {'type': 'timestamp'}, read.faults) -%}
    {%- endfor -%}
{% endmacro %}

{#- The bounds at a distance from the baseline, as columns; that of a side whose values are not
    found is null. -#}
{% macro _bounds_around(margin, pattern) %}
    {{- return(('cast(null as double)' if pattern == 'up' else '__baseline - ' ~ margin)
        ~ ' as __lower,\n        '
        ~ ('cast(null as double)' if pattern == 'down' else '__baseline + ' ~ margin)
        ~ ' as __upper') -}}
{% endmacro %}

{#- The argument `pattern` of a detector of both sides, for `_arguments`. -#}
{% macro _pattern_argument(pattern) %}
    {{- return(['choice', pattern, 'write one of up, down, up_or_down',
        {'of': ['up', 'down', 'up_or_down']}]) -}}
{% endmacro %}

{#- What was read of the arguments of a detector, as plain data. `periods` are the lengths of time
    of one kind of detector, by name. Appends faults. -#}
{% macro _detector_task(read, periods) %}
    {%- do strandline._check_excluded(read) if 'exclude' in read -%}
    {%- set granularity = strandline._granularity(read.granularity, read.faults) -%}
    {%- set min_duration = granularity if read.get('min_duration') is none
        else strandline._bucket_period('min_duration', read.min_duration, granularity,
            read.faults) -%}
    {%- set lengths = {} -%}
    {%- for name, text in periods.items() -%}
        {%- do lengths.update({name: strandline._bucket_period(name, text, granularity,
            read.faults)}) -%}
    {%- endfor -%}
    {{- return({
        'who': read.who, 'source': read.source,
        'name': 'the query' if read.source is string else read.source.identifier,
        'keys': read['keys'] | map('lower') | list,
        'ts': read.ts, 'value': read.value, 'detector': read.detector,
        'granularity': granularity, 'periods': lengths,
        'time_zone': read.time_zone, 'until': read.until,
        'missing': read.get('missing', 'null'),
        'arrival': 'agg_arrival' if read.get('arrival') is none
            and 'agg_arrival' in read.types.source else read.get('arrival'),
        'severity': read.severity, 'description': read.description,
        'exclude': read.get('exclude'), 'exclude_keys': read.get('exclude_keys', []),
        'min_run': 1 if read.get('min_duration') is none or granularity is none
            else min_duration.length // granularity.step,
        'is_ordered': periods != {} or read.get('missing') == 'zero'
            or read.get('min_duration') is not none,
        'is_local': read.time_zone != 'UTC'
            and lengths.values() | selectattr('is_local') | list | length > 0,
    }) -}}
{% endmacro %}

{#- The length of a bucket: a number of months, of days by the zone's calendar, or of microseconds.
    The units are kept separate, because none of them has a fixed length in another. -#}
{% macro _granularity(text, faults) %}
    {%- set period = strandline._period(text) -%}
    {%- set units = [] -%}
    {%- for unit in ['months', 'days', 'micros'] if period[unit] -%}
        {%- do units.append(unit) -%}
    {%- endfor -%}
    {%- if units | length != 1 -%}
        {%- do faults.append("`granularity` is '" ~ text
            ~ "'; write how long a bucket is, in units of one kind: years to months ('1 month' or "
            ~ "'P1M'), weeks and days ('1 day' or 'P1D') or hours and shorter ('15 minutes' or "
            ~ "'PT15M')") -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({'text': text, 'unit': units[0], 'step': period[units[0]]}) -}}
{% endmacro %}

{#- A length of time in the units of the granularity, and whether it is counted in local time: days
    are, hours are not. Appends a fault if it is not a whole number of buckets. -#}
{% macro _bucket_period(name, text, granularity, faults) %}
    {%- if granularity is none -%}{{- return({'length': 0, 'is_local': false}) -}}{%- endif -%}
    {%- set period = strandline._period(text) -%}
    {%- if granularity.unit == 'micros' -%}
        {%- set length = period.fixed or 0 -%}
    {%- else -%}
        {%- set length = 0 if period.months + period.days + period.micros
            != period[granularity.unit] else period[granularity.unit] -%}
    {%- endif -%}
    {%- if not length or length % granularity.step -%}
        {%- set kinds = {'months': "years to months, such as '1 year' or 'P1Y'",
            'days': "weeks and days, such as '7 days' or 'P7D'",
            'micros': "weeks and shorter, such as '7 days' or 'P7D'"} -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ text
            ~ "'; write a whole number of buckets of '" ~ granularity.text ~ "' in units of "
            ~ kinds[granularity.unit]) -%}
        {{- return({'length': 0, 'is_local': false}) -}}
    {%- endif -%}
    {{- return({'length': length, 'is_local': granularity.unit == 'micros' and period.days > 0}) -}}
{% endmacro %}

{#- The final query of every detector: the rows of `classified` whose value is strictly beyond a
    bound, or equal to it where `at_lower` or `at_upper` is `=`, with the columns that all
    detections have. With a least duration only those that end so many buckets in a row, all of them
    beyond the same bound. `found` is an SQL expression of what was found in words, for detectors
    that have their own. The report also reads the rows that are not found: they have no
    `detection_id`, and `description` is what the values are, as JSON. -#}
{% macro _detections(task, at_lower='', at_upper='', found=none) -%}
{%- set is_evaluation = strandline._is_evaluation() -%}
{%- set id = strandline._row_id([strandline._literal(task.detector)]
    + strandline._all_quoted(task['keys']) + ['unix_micros(__start)']) -%}
{%- set is_found = '(__value <' ~ at_lower ~ ' __lower or __value >' ~ at_upper ~ ' __upper)'
    ~ ('' if task.min_run == 1 else ' and __run_length = ' ~ task.min_run
        ~ ' and __run_least = __run_most') -%}
{%- set next = '__position + ' ~ task.granularity.step ~ 'L' -%}
{%- set ends_at = strandline._bucket_number_start(next, task) -%}
select
    {{ 'if(' ~ is_found ~ ', ' ~ id ~ ', null)' if is_evaluation else id }} as detection_id,
    {{ strandline._literal(task.detector) }} as detector,
    {%- for column in task['keys'] %}
    {{ strandline._quoted(column) }},
    {%- endfor %}
    __start as starts_at,
    {{ ends_at if task.is_ordered
        else strandline._checked_start(ends_at, '__start', task) }} as ends_at,
    __value as current_value,
    __baseline as baseline_value,
    cast({{ 'null' if task.severity is none else strandline._literal(task.severity) }} as string)
        as severity,
    {{ strandline._literal(tojson(strandline._evaluated_values(task))) if is_evaluation
        else strandline._literal(task.description) if task.description is not none
        else found or strandline._found_text(task, at_lower, at_upper) }} as description,
    {{ 'cast(null as bigint)' if task.arrival is none else '__arrival' }} as arrival,
    __lower as lower_bound,
    __upper as upper_bound
from {{ '__classified' if task.min_run == 1
    else strandline._with_runs(task, at_lower, at_upper) }}
where {{ 'true' if is_evaluation else is_found }}
    {%- if task.until is not none %}
    and {{ ends_at }} <= {{ task.until }}
    {%- endif %}
{%- endmacro %}

{#- True while `strandline report` compiles detectors for what they have evaluated. Not while dbt
    parses: it would parse the files of detectors again whenever that changes. -#}
{% macro _is_evaluation() %}
    {{- return(execute and strandline._run_setting('strandline_evaluation') is not none) -}}
{% endmacro %}

{#- What the values of a detector are, for the report. -#}
{% macro _evaluated_values(task) %}
    {{- return({'value': task.get('measured', task.value), 'granularity': task.granularity.text,
        'time_zone': task.time_zone}) -}}
{% endmacro %}

{#- The rows of `classified` with how many of the newest buckets that a least duration has are
    beyond a bound, and the least and the most of their sides. -#}
{% macro _with_runs(task, at_lower, at_upper) -%}
{%- set back = (task.min_run - 1) * task.granularity.step -%}
(
    select
        *,
        count(__side) over __run as __run_length,
        min(__side) over __run as __run_least,
        max(__side) over __run as __run_most
    from (
        select *, case when __value <{{ at_lower }} __lower then -1
            when __value >{{ at_upper }} __upper then 1 end as __side
        from __classified
    )
    window __run as (
        {{ strandline._series(task, '__position') }}
        range between {{ back }}L preceding and current row
    )
)
{%- endmacro %}

{#- The columns that every detector yields beside its keys, in this order; `anomalies` reads them by
    default. Those of `detect` are in src/strandline/detection/definition.py. -#}
{% macro _detection_columns() %}
    {{- return(['detection_id', 'detector', 'starts_at', 'ends_at', 'current_value',
        'baseline_value',
        'severity', 'description', 'arrival']) -}}
{% endmacro %}

{#- What was found in words: `departures is 24, below 53.2`. -#}
{% macro _found_text(task, at_lower, at_upper) %}
    {{- return('concat(' ~ strandline._literal(task.value ~ ' is ') ~ ', '
        ~ strandline._number_text('__value')
        ~ ', if(__value <' ~ at_lower ~ ' __lower'
        ~ ", concat(', " ~ ('at or ' if at_lower) ~ "below ', " ~ strandline._number_text('__lower')
        ~ "), concat(', " ~ ('at or ' if at_upper) ~ "above ', "
        ~ strandline._number_text('__upper')
        ~ ')))') -}}
{% endmacro %}

{#- A double as a person writes it: at most three places, and none of a whole number. -#}
{% macro _number_text(column) %}
    {{- return("regexp_replace(cast(round(" ~ column ~ ", 3) as string), '[.]0$', '')") -}}
{% endmacro %}

{#- The body of a view of the missing buckets of a series that has been without data for longer than
    is allowed, or than it usually is. See _macros.yml.

        distance of two rows        ◄─── 4 ───►
        ● ● ●   ● ● ● ●   ● ● ● ● ●           ●
                                    ○ ○ ○        missing: silent for 1, 2, 3 buckets -#}
{% macro missing_data_detector(source, ts, granularity, keys=[], sla=none, lookback=none,
    factor=1.5, outages=1, min_values=10, max_duration=none, combine=true, value=none,
    detector='missing_data', until=none, time_zone='UTC', arrival=none, severity=none,
    description=none) %}
    {%- set read = strandline._arguments(strandline._caller('missing_data_detector'), kwargs,
        varargs, strandline._detector_arguments({
        'source': source, 'ts': ts, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'until': until, 'time_zone': time_zone, 'arrival': arrival,
        'severity': severity, 'description': description,
    }, {
        'value': ['column', value, "name a column without which a row is no data, or leave it out",
            {'optional': true, 'type': 'number'}],
        'sla': ['any', sla],
        'lookback': ['any', lookback],
        'factor': ['number', factor, 'write a number from 1 to 1000, such as 1.5',
            {'from': 1, 'to': 1000}],
        'outages': ['count', outages,
            'write how many of the longest distances are no part of the rhythm, from 0 up',
            {'from': 0}],
        'min_values': ['count', min_values, 'write a whole number from 2 up', {'from': 2}],
        'max_duration': ['any', max_duration],
        'combine': ['flag', combine,
            'write true (what all series lack is found once) or false (once for each of them)'],
    })) -%}
    {%- set own = 'lookback' if sla is none else 'sla' -%}
    {%- if (sla is none) == (lookback is none) -%}
        {%- do read.faults.append("`sla` and `lookback` are both "
            ~ ('missing' if sla is none else 'given') ~ "; write one of them: sla='PT3H' for what "
            ~ "is allowed, or lookback='P28D' for what is usual") -%}
    {%- elif lookback is not none and min_values is integer and outages is integer
        and min_values < outages + 2 -%}
        {%- do read.faults.append("`min_values` is " ~ min_values ~ ", and `outages` is " ~ outages
            ~ "; it must be at least " ~ (outages + 2) ~ ": each row but the first has a distance")
            -%}
    {%- endif -%}
    {%- set task = strandline._detector_task(read, dict({} if (sla is none) == (lookback is none)
        else {own: sla or lookback},
        **({} if max_duration is none else {'max_duration': max_duration}))) -%}
    {%- set task = dict(task, max_duration=strandline._max_silence(task)) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set at_upper = '=' if lookback is none else '' -%}
{{ strandline._silences(task, read, at_upper) }}

{{ strandline._detections(dict(task, measured=strandline._silence_unit(task).word
    ~ 's without data'), at_upper=at_upper, found=strandline._silence_text(task,
    'above ' if lookback is not none else 'at or above ')) }}
{% endmacro %}

{#- The longest silence that is found: as given, or seven days, as incidents by default; of months
    one year. In the unit of the granularity. -#}
{% macro _max_silence(task) %}
    {%- if task.granularity is none -%}{{- return(0) -}}{%- endif -%}
    {%- set default = {'months': 12, 'days': 7, 'micros': 604800000000}[task.granularity.unit] -%}
    {{- return(task.periods.max_duration.length if 'max_duration' in task.periods
        else [default, task.granularity.step] | max) -}}
{% endmacro %}

{#- The CTEs that end in `classified`, the missing buckets: with the silence up to their end, in the
    unit of `_silence_unit`, as the value. All series are one more, if there are several. -#}
{% macro _silences(task, read, at_upper) -%}
{%- set step = task.granularity.step -%}
{%- set unit = strandline._silence_unit(task) -%}
{%- set columns = strandline._all_quoted(task['keys']) -%}
{%- set is_combined = read.combine and columns | length > 0 -%}
{%- set series = 'partition by ' ~ (columns + ['__is_all']) | join(', ')
    ~ ' order by __position' -%}
with __given as (
    {{ strandline._given_buckets(task) }}
),

__series as (
    select *, false as __is_all from __given where __value is not null
    {%- if is_combined %}
    union all
    select
        {%- for column in columns %}
        null as {{ column }},
        {%- endfor %}
        {{ strandline._bucket_number_start('__position', task) }} as __start,
        __position,
        {%- if task.arrival is not none %}
        __arrival,
        {%- endif %}
        1D as __value,
        true as __is_all
    from (
        select __position{{ ', max(__arrival) as __arrival' if task.arrival is not none }}
        from __given
        where __value is not null
        group by __position
    )
    where (
        select min(xxhash64({{ columns | join(', ') }})) < max(xxhash64({{ columns | join(', ') }}))
        from __given
    )
    {%- endif %}
),

__ordered as (
    select
        *,
        {{ strandline._buckets_end(task) }} as __end,
        lead(__position) over ({{ series }}) as __next
        {%- if 'lookback' in task.periods %},
        __position - lag(__position) over ({{ series }}) as __distance
        {%- endif %}
    from __series
),

__usual as (
    select
        *,
        {%- if 'sla' in task.periods %}
        {{ task.periods.sla.length }}L as __silence,
        {{ task.periods.sla.length }}D as __bound
        {%- else %}
        __usual_distance - {{ step }} as __silence,
        {{ read.factor }}D * __usual_distance - {{ step }} as __bound
        {%- endif %}
    from {{ strandline._with_usual_distances(task, read, series) if 'lookback' in task.periods
        else '__ordered' }}
    where {{ strandline._is_next(task) }}
),

__missing as (
    select * except (__start, __position, __value), __position as __last, explode(sequence(
            __first_count, __last_count
        )) as __count
    from (
        select
            *,
            greatest(1L, cast(floor(__bound / {{ step }}) as bigint)) as __first_count,
            least((coalesce(__next, __end) - __position) div {{ step }}L - 1,
                {{ task.max_duration // step }}L) as __last_count
        from __usual
    )
    where __first_count <= __last_count
),

__evaluated as (
    select
        *,
        __last + __count * {{ step }}L as __position,
        {{ strandline._bucket_number_start('(__last + __count * ' ~ step ~ 'L)', task) }}
            as __start,
        __count * {{ step }} / {{ unit.length }}D as __value,
        __silence / {{ unit.length }}D as __baseline,
        cast(null as double) as __lower,
        __bound / {{ unit.length }}D as __upper
    from __missing
),

__classified as (
    {%- if is_combined %}
    select *
    from (
        select *, max(__is_all) over (partition by __position) as __has_all
        from __evaluated
        where __value >{{ at_upper }} __upper
    )
    where __is_all = __has_all
    {%- else %}
    select * from __evaluated
    {%- endif %}
)
{%- endmacro %}

{#- The rows with the longest distance of two of them in the look-back of each, but for `outages`
    that are longer; null with too few rows. Distances of one bucket are not collected. -#}
{% macro _with_usual_distances(task, read, series) %}
{%- set step = task.granularity.step ~ 'L' -%}
(
        select *, if(__row_count < {{ read.min_values }}, null, coalesce(
            get(__distances, size(__distances) - {{ read.outages + 1 }}), {{ step }}
        )) as __usual_distance
        from (
            select
                *,
                count(*) over __before as __row_count,
                collect_list(if(__distance > {{ step }}, __distance, null)) over __before
                    as __given_distances
            from __ordered
            window __before as ({{ series }} range between
                {{ task.periods.lookback.length - 1 }}L preceding and current row)
        )
        {{ strandline._evaluated('sort_array(__given_distances)', '__distances') }}
    )
{%- endmacro %}

{#- The unit in which lengths of a silence are written: the greatest one of which the granularity is
    a whole number. -#}
{% macro _silence_unit(task) %}
    {%- set unit, step = task.granularity.unit, task.granularity.step -%}
    {%- if unit != 'micros' -%}{{- return({'word': unit[:-1], 'length': 1}) -}}{%- endif -%}
    {%- for word, length in [('hour', 3600000000), ('minute', 60000000)]
        if step % length == 0 -%}
        {{- return({'word': word, 'length': length}) -}}
    {%- endfor -%}
    {{- return({'word': 'second', 'length': 1000000}) -}}
{% endmacro %}

{#- What was found in words: `4 hours without data of any series, above 1.5`. -#}
{% macro _silence_text(task, beyond) %}
    {%- set word = strandline._silence_unit(task).word -%}
    {{- return("concat(" ~ strandline._number_text('__value') ~ ", if(__value = 1, ' " ~ word
        ~ "', ' " ~ word ~ "s'), ' without data', if(__is_all, ' of any series', ''), ', "
        ~ beyond ~ "', " ~ strandline._number_text('__upper') ~ ')') -}}
{% endmacro %}

{#- The body of a view of the buckets in which a value has not moved for a given time. See
    _macros.yml. -#}
{% macro flat_line_detector(source, ts, value, granularity, duration, keys=[], tolerance=0,
    idle=none, detector='flat_line', missing='null', until=none, time_zone='UTC', arrival=none,
    severity=none, description=none) %}
    {%- set read = strandline._arguments(strandline._caller('flat_line_detector'), kwargs, varargs,
        strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
    }, {
        'duration': ['any', duration],
        'tolerance': ['number', tolerance,
            'write a number from 0 up, by which a value may move and still be flat',
            {'from': 0, 'to': 1e300}],
        'idle': ['number', idle,
            'write a value that may stay, such as 0, or leave it out',
            {'optional': true, 'from': -1e300, 'to': 1e300}],
    })) -%}
    {%- set task = strandline._detector_task(read, {'duration': duration}) -%}
    {%- set step = task.granularity.step if task.granularity else 1 -%}
    {%- set length = task.periods.duration.length -%}
    {%- if not read.faults and length < 2 * step -%}
        {%- do read.faults.append("`duration` is '" ~ duration ~ "', one bucket; write two or "
            ~ "more, because one value cannot move") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
{{ strandline._buckets(task) }},

__classified as (
    select
        * except (__value),
        __most - __least as __value,
        {{ tolerance }}D as __baseline,
        {{ tolerance }}D as __lower,
        cast(null as double) as __upper
    from (
        select
            *,
            count(__finite) over __stay as __value_count,
            min(__finite) over __stay as __least,
            max(__finite) over __stay as __most
        from {{ strandline._finite_buckets(task) }}
        window __stay as ({{ strandline._series(task, '__position') }}
            range between {{ length - step }}L preceding and current row)
    )
    where __value_count = {{ length // step }}
        {%- if idle is not none %}
        and not (__least = {{ idle }}D and __most = {{ idle }}D)
        {%- endif %}
)

{{ strandline._detections(dict(task, measured='movement of ' ~ task.value), at_lower='=',
    found=strandline._flat_text(task)) }}
{% endmacro %}

{#- What was found in words: `temperature stays at 21.5 for 6 hours`. -#}
{% macro _flat_text(task) %}
    {%- set unit = strandline._silence_unit(task) -%}
    {%- set length = task.periods.duration.length / unit.length -%}
    {%- set length = length | int if length == length | int else length -%}
    {%- set least = strandline._number_text('__least') -%}
    {%- set words = ' for ' ~ length ~ ' ' ~ unit.word ~ ('' if length == 1 else 's') -%}
    {{- return('concat(' ~ strandline._literal(task.value ~ ' stays at ') ~ ', ' ~ least
        ~ ", if(__least = __most, '', concat(' to ', " ~ strandline._number_text('__most')
        ~ ")), '" ~ words ~ "')") -}}
{% endmacro %}

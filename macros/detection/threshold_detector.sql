{#- The body of a view of the buckets whose value is beyond a bound. See _macros.yml. -#}
{% macro threshold_detector(source, ts, value, granularity, keys=[], min=none, max=none,
    inclusive=false, detector='threshold', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none, min_inclusive=none, max_inclusive=none) %}
    {%- set read = strandline._arguments(strandline._caller('threshold_detector'), kwargs, varargs,
        strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'missing': missing, 'until': until, 'time_zone': time_zone,
        'arrival': arrival, 'severity': severity, 'description': description,
    }, dict(
        strandline._bounds_arguments(min, max, inclusive, 'is found'),
        min_inclusive=strandline._inclusive_argument('min', min_inclusive),
        max_inclusive=strandline._inclusive_argument('max', max_inclusive)))) -%}
    {%- set task = strandline._detector_task('threshold_detector', read, {}) -%}
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

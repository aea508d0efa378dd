{#- The body of a view of the buckets whose value is beyond a bound. See _macros.yml. -#}
{% macro threshold_detector(source, ts, value, granularity, keys=[], min=none, max=none,
    inclusive=false, detector='threshold', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none, min_inclusive=none, max_inclusive=none) %}
    {%- do strandline._check_call('threshold_detector', kwargs, varargs, {
        'source': [source, "pass a relation of buckets: ref('flights_hours')"],
        'ts': [ts, "name the column of the bucket's start"],
        'value': [value, "name the column to evaluate"],
        'granularity': [granularity, "write the length of a bucket, such as 'PT1H'"],
    }, ['keys', 'min', 'max', 'inclusive', 'detector', 'missing', 'until', 'time_zone', 'arrival',
        'severity', 'description', 'min_inclusive', 'max_inclusive']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._detector_task('threshold_detector', source, {
        'keys': keys, 'ts': ts, 'value': value, 'granularity': granularity, 'detector': detector,
        'missing': missing, 'until': until, 'time_zone': time_zone, 'arrival': arrival,
        'severity': severity, 'description': description,
    }, {}, faults) -%}
    {%- set bounds = strandline._bounds(min, max, inclusive, 'is found', faults) -%}
    {%- set equal = strandline._or_equal({'min': min, 'max': max},
        {'min': min_inclusive, 'max': max_inclusive}, inclusive, faults) -%}
    {%- do strandline._refuse('threshold_detector', faults) -%}
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

{#- `=` for each bound that is inclusive, otherwise empty text: by its own argument, or by
    `inclusive`. Appends faults. -#}
{% macro _or_equal(bounds, given, inclusive, faults) %}
    {%- set equal = {} -%}
    {%- for name, value in given.items() -%}
        {%- if value is not none and value is not boolean -%}
            {%- do faults.append("`" ~ name ~ "_inclusive` is '" ~ value ~ "'; write true (a value "
                ~ "that equals `" ~ name ~ "` is found), false, or leave it out (as `inclusive`)")
                -%}
        {%- elif value is not none and bounds[name] is none -%}
            {%- do faults.append("`" ~ name ~ "_inclusive` is given, and `" ~ name
                ~ "` is missing; write `" ~ name ~ "`, or leave it out") -%}
        {%- endif -%}
        {%- do equal.update({name: '=' if (inclusive if value is none else value) else ''}) -%}
    {%- endfor -%}
    {{- return(equal) -}}
{% endmacro %}

{#- The bounds `min` and `max` as SQL literals of doubles; none for one that is missing. Appends
    faults. `meaning` is what a value equal to a bound does if `inclusive` is true. -#}
{% macro _bounds(min, max, inclusive, meaning, faults) %}
    {%- set bounds = {} -%}
    {%- for name, bound in {'min': min, 'max': max}.items() -%}
        {%- do bounds.update({name: none if bound is none else strandline._detector_number(
            name, bound, -1e300, 1e300, 'a number, or leave it out', faults)}) -%}
    {%- endfor -%}
    {%- if min is none and max is none -%}
        {%- do faults.append("`min` and `max` are both missing; write at least one of them") -%}
    {%- elif not faults and min is not none and max is not none and min > max -%}
        {%- do faults.append("`min` is '" ~ min ~ "' and `max` is '" ~ max
            ~ "'; min must not be above max") -%}
    {%- endif -%}
    {%- if inclusive is not boolean -%}
        {%- do faults.append("`inclusive` is '" ~ inclusive
            ~ "'; write true (a value that equals a bound " ~ meaning ~ ") or false") -%}
    {%- endif -%}
    {{- return(bounds) -}}
{% endmacro %}

{#- The body of a view of the buckets whose value is beyond a bound. See _macros.yml. -#}
{% macro threshold_detector(source, ts, value, granularity, keys=[], min=none, max=none,
    inclusive=false, detector='threshold', missing='null', until=none, time_zone='UTC',
    arrival=none, severity=none, description=none) %}
    {%- do strandline._check_call('threshold_detector', kwargs, varargs, {
        'source': [source, "pass a relation of buckets: ref('flights_hours')"],
        'ts': [ts, "name the column of the bucket's start"],
        'value': [value, "name the column to evaluate"],
        'granularity': [granularity, "write the length of a bucket, such as 'PT1H'"],
    }, ['keys', 'min', 'max', 'inclusive', 'detector', 'missing', 'until', 'time_zone', 'arrival',
        'severity', 'description']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._detector_task('threshold_detector', source, {
        'keys': keys, 'ts': ts, 'value': value, 'granularity': granularity, 'detector': detector,
        'missing': missing, 'until': until, 'time_zone': time_zone, 'arrival': arrival,
        'severity': severity, 'description': description,
    }, {}, faults) -%}
    {%- set bounds = strandline._bounds(min, max, inclusive, 'is found', faults) -%}
    {%- do strandline._refuse('threshold_detector', faults) -%}
    {%- set lower = bounds.min or 'cast(null as double)' -%}
    {%- set upper = bounds.max or 'cast(null as double)' -%}
{{ strandline._buckets(task) }},

__classified as (
    select
        *,
        {{ lower }} as __lower,
        {{ upper }} as __upper,
        if(__value {{ '<=' if inclusive else '<' }} {{ lower }}, {{ lower }}, {{ upper }})
            as __baseline
    from __buckets
)

{{ strandline._detections(task, inclusive) }}
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

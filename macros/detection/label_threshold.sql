{#- Detections with a label if their value, or the value of another metric at their start, is beyond
    a bound. See _macros.yml. -#}
{% macro label_threshold(detections, min=none, max=none, value='current_value', source=none,
    ts=none, keys=[], inclusive=false,
    label='threshold', ignore=false) %}
    {%- set read = strandline._arguments(strandline._caller('label_threshold'), kwargs, varargs,
        strandline._label_arguments(detections, ignore, dict({
        'value': ['column', value, none,
            {'type': 'number', 'of': 'detections' if source is none else 'source'}],
        'source': strandline._label_source(source, optional=true),
        'ts': ['column', ts, none, {'type': 'timestamp', 'optional': source is none}],
        'keys': strandline._label_keys(keys, 'detections' if source is none
            else ['detections', 'source']),
        'label': strandline._label_text(label),
    }, **strandline._bounds_arguments(min, max, inclusive, 'counts')))) -%}
    {%- do strandline._check_detection_columns(read) -%}
    {%- if source is none and (ts is not none or keys) -%}
        {%- do read.faults.append("`ts` and `keys` are columns of `source`, which is missing; give "
            ~ "it, or leave them out") -%}
    {%- endif -%}
    {%- set or_equal = '=' if inclusive else '' -%}
    {%- set number = "nullif(cast(" ~ strandline._quoted(value) ~ " as double), double('NaN'))" -%}
    {%- set beyond = [] -%}
    {%- set bounds = strandline._bounds(read) -%}
    {%- for name, sign in {'min': ' <', 'max': ' >'}.items() if bounds[name] is not none -%}
        {%- do beyond.append(number ~ sign ~ or_equal ~ ' ' ~ bounds[name]) -%}
    {%- endfor -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set is_beyond = beyond | join(' or ') -%}
    {%- if source is none -%}
{{ strandline._with_labels(detections, strandline._label_if(is_beyond, label), ignore) }}
    {%- else -%}
    {%- set others -%}left join (
        select distinct
            {{ strandline._quoted(ts) }} as __at
            {%- for key in keys %}, {{ strandline._quoted(key) }}{% endfor %}
        from {{ source }}
        where {{ is_beyond }}
    ) as __other on __given.starts_at = __other.__at
        and {{ strandline._keys_equal(keys, '__other') }}{%- endset -%}
{{ strandline._with_labels(detections,
    strandline._label_if('__other.__at is not null', label), ignore, others) }}
    {%- endif -%}
{%- endmacro %}

{#- Detections with a label if their value, or the value of another metric at their start, is beyond
    a bound. See _macros.yml. -#}
{% macro label_threshold(detections, min=none, max=none, value='current_value', source=none,
    ts=none, keys=[], inclusive=false,
    label='threshold', ignore=false) %}
    {%- do strandline._check_call(strandline._label_caller('label_threshold'), kwargs, varargs, {
        'detections': [detections, "pass a relation or a query in parentheses: ref('few_flights')"],
    }, ['min', 'max', 'value', 'source', 'ts',
        'keys', 'inclusive', 'label', 'ignore']) -%}
    {%- set faults = [] -%}
    {%- do strandline._check_label(detections, keys, {'label': label, 'ignore': ignore}, faults) -%}
    {%- set named = [['value', value, 'number']] -%}
    {%- if source is none -%}
        {%- if ts is not none or keys -%}
            {%- do faults.append("`ts` and `keys` are columns of `source`, which is missing; give "
                ~ "it, or leave them out") -%}
        {%- endif -%}
        {%- do strandline._check_labelled('detections', detections, named, faults) -%}
    {%- else -%}
        {%- do named.append(['ts', ts, 'timestamp']) -%}
        {%- for key in keys if keys is not string -%}
            {%- do named.append(['keys', key, 'key']) -%}
        {%- endfor -%}
        {%- do strandline._check_labelled('source', source, named, faults) -%}
    {%- endif -%}
    {%- set or_equal = '=' if inclusive else '' -%}
    {%- set number = "nullif(cast(" ~ value ~ " as double), double('NaN'))" -%}
    {%- set beyond = [] -%}
    {%- for name, bound in {'min': min, 'max': max}.items() if bound is not none -%}
        {%- do beyond.append(number ~ (' <' if name == 'min' else ' >') ~ or_equal ~ ' '
            ~ strandline._detector_number(name, bound, -1e300, 1e300, 'a number, or leave it out',
                faults)) -%}
    {%- endfor -%}
    {%- if not beyond -%}
        {%- do faults.append("`min` and `max` are both missing; write at least one of them") -%}
    {%- elif not faults and min is not none and max is not none and min > max -%}
        {%- do faults.append("`min` is '" ~ min ~ "' and `max` is '" ~ max
            ~ "'; min must not be above max") -%}
    {%- endif -%}
    {%- if inclusive is not boolean -%}
        {%- do faults.append("`inclusive` is '" ~ inclusive
            ~ "'; write true (a value that equals a bound counts) or false") -%}
    {%- endif -%}
    {%- do strandline._refuse(strandline._label_caller('label_threshold'),
        faults | unique | list) -%}
    {%- set is_beyond = beyond | join(' or ') -%}
    {%- if source is none -%}
{{ strandline._with_labels(detections, strandline._label_if(is_beyond, label), ignore) }}
    {%- else -%}
    {%- set others -%}left join (
        select distinct {{ ts }} as strandline_at{% for key in keys %}, {{ key }}{% endfor %}
        from {{ source }}
        where {{ is_beyond }}
    ) as other on given.starts_at = other.strandline_at
        and {{ strandline._keys_equal(keys, 'other') }}{%- endset -%}
{{ strandline._with_labels(detections,
    strandline._label_if('other.strandline_at is not null', label), ignore, others) }}
    {%- endif -%}
{%- endmacro %}

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
    {%- set number = "nullif(cast(" ~ strandline._quoted(value) ~ " as double), double('NaN'))" -%}
    {%- set beyond = [] -%}
    {%- set bounds = strandline._bounds(min, max, inclusive, 'counts', faults) -%}
    {%- for name, sign in {'min': ' <', 'max': ' >'}.items() if bounds[name] is not none -%}
        {%- do beyond.append(number ~ sign ~ or_equal ~ ' ' ~ bounds[name]) -%}
    {%- endfor -%}
    {%- do strandline._refuse(strandline._label_caller('label_threshold'),
        faults | unique | list) -%}
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

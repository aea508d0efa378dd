{#- Detections with a label if they begin within a period after the first data, when too little
    history exists. See _macros.yml. -#}
{% macro label_cold_start(detections, source, ts, period, keys=[], label='cold start',
    time_zone='UTC', ignore=false) %}
    {%- do strandline._check_call(strandline._label_caller('label_cold_start'), kwargs, varargs, {
        'detections': [detections, "pass a relation or a query in parentheses: ref('few_flights')"],
        'source': [source, "pass the relation of the data: ref('flights')"],
        'ts': [ts, "name the column of its time"],
        'period': [period, "write how long the start lasts, such as 'P7D'"],
    }, ['keys', 'label',
        'time_zone', 'ignore']) -%}
    {%- set faults = [] -%}
    {%- do strandline._check_label(detections, keys,
        {'label': label, 'ignore': ignore, 'time_zone': time_zone}, faults) -%}
    {%- set columns = [['ts', ts, 'timestamp']] -%}
    {%- for key in keys if keys is not string -%}
        {%- do columns.append(['keys', key, 'key']) -%}
    {%- endfor -%}
    {%- do strandline._check_labelled('source', source, columns, faults) -%}
    {%- set length = strandline._label_period('period', '' if period is none else period,
        faults) -%}
    {%- do strandline._refuse(strandline._label_caller('label_cold_start'),
        faults | unique | list) -%}
    {%- set first_data %}left join (
        select
            {%- for key in keys %} {{ strandline._quoted(key) }},{% endfor %}
            {{ strandline._shifted_micros('min(' ~ strandline._quoted(ts) ~ ')', length, '+',
                time_zone) }}
                as __cold_until
        from {{ source }}
        {% if keys %}group by {{ strandline._all_quoted(keys) | join(', ') }}{% endif %}
    ) as __first_data on {{ strandline._keys_equal(keys, '__first_data') }}{% endset -%}
{{ strandline._with_labels(detections,
    strandline._label_if('unix_micros(__given.starts_at) < __first_data.__cold_until', label),
    ignore, first_data) }}
{%- endmacro %}

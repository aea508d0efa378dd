{#- Detections with a label if they begin within a period after the first data, when too little
    history exists. See _macros.yml. -#}
{% macro label_cold_start(detections, source, ts, period, keys=[], label='cold start',
    time_zone='UTC', ignore=false) %}
    {%- set read = strandline._arguments(strandline._caller('label_cold_start'), kwargs, varargs,
        strandline._label_arguments(detections, ignore, {
        'source': strandline._label_source(source),
        'ts': ['column', ts, "name the column of its time", {'type': 'timestamp'}],
        'period': strandline._label_length(period),
        'keys': strandline._label_keys(keys, ['detections', 'source']),
        'label': strandline._label_text(label),
        'time_zone': ['zone', time_zone],
    })) -%}
    {%- do strandline._check_detection_columns(read) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set length = strandline._label_period(period) -%}
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

{#- What the materialization must know of a table of summaries of points, as plain data. Adds what is wrong to `faults`. -#}
{% macro _points_task(summary, source, keys, ts, value, gap, bucket, arrival, faults) %}
    {%- if source is none or source is string or source is not defined -%}
        {%- do faults.append("`source` is " ~ ("'" ~ source ~ "'" if source else 'empty')
            ~ "; hand in a relation: ref('signal') or source('plant', 'signal')") -%}
    {%- endif -%}
    {%- set keys = strandline._read_keys(keys, faults) -%}
    {%- for column in [ts, arrival] + keys if not strandline._is_identifier(column) or column.startswith('agg_') -%}
        {%- do faults.append("'" ~ column ~ "' stands for a column in `ts`, `arrival` or `keys`; write a plain column name that does not "
            ~ "begin with agg_ (compute expressions in a staging model)") -%}
    {%- endfor -%}
    {%- if summary != 'heartbeat_agg' and not strandline._is_identifier(value) -%}
        {%- do faults.append("`" ~ ('value' if summary == 'time_weight' else 'state') ~ "` is '"
            ~ value
            ~ "'; write a plain column name (compute expressions in a staging model)") -%}
    {%- endif -%}
    {%- set micros = strandline._interval_micros(bucket) -%}
    {%- if micros is none -%}
        {%- do faults.append("`bucket` is '" ~ bucket ~ "'; write the length of a bucket such as '1 hour' (for months and years, roll up the days "
            ~ "of such a table, or put time_weight into the `select` of an aggregation)") -%}
    {%- endif -%}
    {{- return({
        'kind': 'points', 'summary': summary, 'feed': source | string, 'feed_name': source.identifier if source.identifier is defined else '',
        'keys': keys, 'ts': ts, 'value': value, 'gap': strandline._read_gap(gap, faults), 'bucket': micros, 'arrival': arrival,
        'partition': 'week' if (micros or 0) <= 86400000000 else 'year',
    }) -}}
{% endmacro %}

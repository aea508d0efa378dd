{#- The body of a table of summaries of points: the summaries of all points of the source. -#}
{% macro _points_table(task, source, faults) %}
    {%- do strandline._refuse(task.summary ~ '_table of ' ~ model.name, faults) -%}
    {{- config(
        materialized='strandline_points',
        file_format=strandline._file_format(),
        unique_key=['agg_timestamp'] + task['keys'],
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {%- do strandline._check_points(task, source, task.summary ~ '_table of ' ~ model.name) -%}
        {{- strandline._task_line(task) }}
with points as (
    {{ strandline._bucketed_points(task) }}
)

{{ strandline._summarised_points(task, strandline._splits(task.upstream)) }}
    {%- endif -%}
{% endmacro %}

{#- What the materialization needs to know of a table of summaries of points, as plain data. Appends
    errors to `faults`. -#}
{% macro _points_task(summary, source, keys, ts, value, gap, bucket, arrival, faults) %}
    {%- if source is none or source is string or source is not defined -%}
        {%- do faults.append("`source` is " ~ ("'" ~ source ~ "'" if source else 'empty')
            ~ "; pass a relation: ref('signal') or source('plant', 'signal')") -%}
    {%- endif -%}
    {%- set keys = strandline._read_keys(keys, faults) -%}
    {%- for column in [ts, arrival] + keys
        if not strandline._is_identifier(column) or column.startswith('agg_') -%}
        {%- do faults.append("'" ~ column
            ~ "' is given as a column in `ts`, `arrival` or `keys`; write a plain column name that "
            ~ "does not begin with agg_ (compute expressions in a staging model)") -%}
    {%- endfor -%}
    {%- if summary != 'heartbeat_agg' and not strandline._is_identifier(value) -%}
        {%- do faults.append("`" ~ ('value' if summary == 'time_weight' else 'state') ~ "` is '"
            ~ value
            ~ "'; write a plain column name (compute expressions in a staging model)") -%}
    {%- endif -%}
    {%- set micros = strandline._period(bucket).fixed -%}
    {%- if not micros -%}
        {%- do faults.append("`bucket` is '" ~ bucket
            ~ "'; write the length of a bucket such as '1 hour' (for months and years, roll up the "
            ~ "days of such a table, or put time_weight into the `select` of an aggregation)") -%}
    {%- endif -%}
    {{- return({
        'kind': 'points', 'summary': summary, 'upstream': source | string,
        'upstream_name': source.identifier if source.identifier is defined else '',
        'keys': keys, 'ts': ts, 'value': value,
        'gap': strandline._read_gap(gap, strandline._period(gap).fixed, faults), 'bucket': micros,
        'arrival': arrival,
        'partition': 'week' if (micros or 0) <= 86400000000 else 'year',
    }) -}}
{% endmacro %}

{#- Fails if the source of points does not have a column, or if the value is not a number. A source
    that does not exist yet is not checked. -#}
{% macro _check_points(task, source, who) %}
    {%- set types = strandline._types_of(source) -%}
    {%- set named = [['ts', task.ts], ['arrival', task.arrival]] -%}
    {%- if task.value -%}
        {%- do named.append(['value' if task.summary == 'time_weight' else 'state', task.value]) -%}
    {%- endif -%}
    {%- for key in task['keys'] -%}{%- do named.append(['keys', key]) -%}{%- endfor -%}
    {%- set faults = [] -%}
    {%- for argument, column in named if types -%}
        {%- set type = types.get(column | lower) -%}
        {%- if type is none -%}
            {%- do faults.append(strandline._no_column(argument, column, source, types)) -%}
        {%- elif argument == 'value' and not strandline._is_number(type) -%}
            {%- do faults.append("`value` names " ~ column ~ " of " ~ source.identifier
                ~ ", which is " ~ type | upper
                ~ "; take a number" ~ (", such as int(" ~ column ~ ") of a staging model"
                    if type == 'boolean')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do strandline._refuse(who, faults) -%}
{% endmacro %}

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
with __points as (
    {{ strandline._bucketed_points(task) }}
)

{{ strandline._summarised_points(task, '__points', strandline._splits(task.upstream)) }}
    {%- endif -%}
{% endmacro %}

{#- What the materialization needs to know of a table of summaries of points, as plain data. Appends
    errors to `faults`. -#}
{% macro _points_task(summary, source, keys, ts, value, gap, bucket, arrival, not_after,
    faults) %}
    {%- if source is none or source is string or source is not defined -%}
        {%- do faults.append("`source` is " ~ ("'" ~ source ~ "'" if source else 'empty')
            ~ "; pass a relation: ref('signal') or source('plant', 'signal')") -%}
    {%- endif -%}
    {%- set keys = strandline._read_keys(keys, faults) -%}
    {%- set columns = [['ts', ts], ['arrival', arrival]] -%}
    {%- if summary != 'heartbeat_agg' -%}
        {%- do columns.append(['value' if summary == 'time_weight' else 'state', value]) -%}
    {%- endif -%}
    {%- for key in keys -%}{%- do columns.append(['keys', key]) -%}{%- endfor -%}
    {%- for argument, column in columns -%}
        {%- do strandline._check_point_column(argument, column, faults) -%}
    {%- endfor -%}
    {%- if not_after is not none -%}
        {%- do faults.extend(strandline._point_bound_faults(not_after)) -%}
    {%- endif -%}
    {%- set micros = strandline._period(bucket).fixed -%}
    {%- if not micros -%}
        {%- do faults.append("`bucket` is '" ~ bucket
            ~ "'; write the length of a bucket such as '1 hour' (for months and years, roll up the "
            ~ "days of such a table, or put time_weight into the `select` of an aggregation)") -%}
    {%- endif -%}
    {%- set task = {
        'kind': 'points', 'summary': summary, 'upstream': source | string,
        'upstream_name': source.identifier if source.identifier is defined else '',
        'keys': keys, 'ts': ts, 'value': value,
        'gap': strandline._read_gap(gap, strandline._period(gap).fixed, faults), 'bucket': micros,
        'arrival': arrival,
        'partition': 'week' if (micros or 0) <= 86400000000 else 'year',
    } -%}
    {%- if not_after is not none -%}{%- do task.update({'not_after': not_after}) -%}{%- endif -%}
    {{- return(task) -}}
{% endmacro %}

{#- Appends a fault if an argument does not name a column, or a key has the name of a column of the
    table. Every other name is allowed: it is quoted wherever it stands. -#}
{% macro _check_point_column(argument, column, faults) %}
    {%- if column is not string or not column | trim -%}
        {%- do faults.append("`" ~ argument ~ "` is '" ~ column
            ~ "'; write the name of a column") -%}
    {%- elif column.startswith('__') -%}
        {%- do faults.append("`" ~ argument ~ "` names the column '" ~ column
            ~ "'; names that begin with __ are reserved: rename it in a staging model") -%}
    {%- elif argument == 'keys' and (column | lower == 'summary'
        or (column | lower).startswith('agg_')) -%}
        {%- do faults.append("`keys` names the column '" ~ column
            ~ "'; summary and names that begin with agg_ are columns of the table itself: rename "
            ~ "it in a staging model") -%}
    {%- endif -%}
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
    {%- if types and task.get('not_after')
        and (load_cached_relation(this) is none or should_full_refresh()) -%}
        {%- do strandline._check_point_bound(task, source, types, who) -%}
    {%- endif -%}
{% endmacro %}

{#- The fault of `not_after` that can be seen without the source. -#}
{% macro _point_bound_faults(not_after) %}
    {{- return([] if not_after is string and not_after | trim else ["`not_after` is '" ~ not_after
        ~ "'; write one SQL expression over the columns of the source, such as 'received_at + "
        ~ "interval 1 hour'"]) -}}
{% endmacro %}

{#- Fails if Spark rejects the expression of `not_after`, or if it is no TIMESTAMP. With an adapter
    that cannot return Spark's message, the run fails with it. -#}
{% macro _check_point_bound(task, source, types, who) %}
    {%- set query = 'describe query select (' ~ task.not_after
        ~ '\n) as __bound from (select * from ' ~ task.upstream ~ ') as __upstream' -%}
    {%- set found = adapter.describe_query(query) if adapter.type() == 'strandline'
        else {'types': run_query(query).columns[1].values() | list, 'error': none} -%}
    {%- set fault = none -%}
    {%- if found.error -%}
        {%- set unknown = modules.re.search('with name `([^`]+)` cannot be resolved', found.error)
            -%}
        {%- set reason = modules.re.sub('(?s)\\s*SQLSTATE: \\w{5}.*', '', found.error) | trim -%}
        {%- set fault = ", and " ~ source.identifier ~ " has no column '" ~ unknown.group(1)
            ~ "'; it has " ~ strandline._choices(types)
            ~ strandline._nearest(unknown.group(1), types) if unknown
            else ", which Spark rejects: " ~ reason -%}
    {%- elif found.types[0] | lower != 'timestamp' -%}
        {%- set fault = ', which is ' ~ found.types[0] | upper ~ '; make it a TIMESTAMP' -%}
    {%- endif -%}
    {%- if fault -%}
        {%- do strandline._refuse(who, ["`not_after` is '" ~ task.not_after ~ "'" ~ fault]) -%}
    {%- endif -%}
{% endmacro %}

{#- The arguments of a table of points, for `_arguments`: those that all of them have, and the `own`
    ones of one kind. -#}
{% macro _points_arguments(source, ts, bucket, keys, arrival, not_after, own) %}
    {{- return(dict({
        'source': ['relation', source,
            "pass a relation: ref('signal') or source('plant', 'signal')"],
        'ts': ['column', ts, "name the column of the points' time"],
        'bucket': ['length', bucket, "write the length of a bucket such as '1 hour' (for months "
            ~ "and years, roll up the days of such a table, or put time_weight into the `select` "
            ~ "of an aggregation)"],
        'keys': ['columns', keys,
            "write a list of columns, such as ['sensor'], or [] for one signal",
            {'reserved': {'names': ['summary'], 'prefix': 'agg_', 'why': 'and summary and names '
                ~ 'that begin with agg_ are columns of the table itself'}}],
        'arrival': ['column', arrival],
        'not_after': ['expression', not_after, strandline._bound_form(), {'optional': true}],
    }, **own)) -}}
{% endmacro %}

{#- What the materialization needs to know of a table of summaries of points, as plain data, beside
    what was read of the arguments. `value` is the column that is summarised, if there is one. The
    bound is a key of its own only if it is given, as in tables of 0.1.0. -#}
{% macro _points_task(summary, read, value, own) %}
    {%- if execute and read.types.source and read.not_after is not none
        and (load_cached_relation(this) is none or should_full_refresh()) -%}
        {%- do strandline._check_row_expressions([['`not_after` is', read.not_after, 'timestamp']],
            '(select * from ' ~ read.source ~ ') as __upstream', read.source, read.types.source,
            read.faults) -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- return({'read': read, 'task': dict({
        'kind': 'points', 'summary': summary, 'upstream': read.source | string,
        'upstream_name': read.source.identifier, 'keys': read['keys'], 'ts': read.ts,
        'value': value, 'bucket': read.bucket, 'arrival': read.arrival,
        'partition': 'week' if read.bucket <= 86400000000 else 'year',
    }, **dict(own, **({'not_after': read.not_after} if read.not_after is not none else {})))}) -}}
{% endmacro %}

{#- The body of a table of summaries of points: the summaries of all points of the source. -#}
{% macro _points_table(given) %}
    {%- set task = given.task -%}
    {{- config(
        materialized='strandline_points',
        file_format=strandline._file_format(),
        unique_key=['agg_timestamp'] + task['keys'],
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {{- strandline._task_line(task) }}
with __points as (
    {{ strandline._bucketed_points(task) }}
)

{{ strandline._summarised_points(task, '__points', strandline._splits(task.upstream)) }}
    {%- endif -%}
{% endmacro %}

{#- Which partitions the new rows of the feed touch, as lists of dates: `target`, of the table's own
    rows, and `feed`, of the finer rows that its touched buckets are made of. Both empty when
    nothing is new. -#}
{% macro _touched_partitions(task, is_new) %}
    {%- set duration = strandline._duration(task.duration) -%}
    {%- set feed_unit = none if task.from_events else strandline._duration(task.feed_duration).partition -%}
    {%- set own = strandline._partition_of('bucket', duration.partition or 'year') -%}
    {%- set first = strandline._partition_of('bucket', feed_unit or 'year') -%}
    {%- set last = strandline._partition_of('(bucket + interval ' ~ duration.longest ~ ' seconds)', feed_unit or 'year') -%}
    {%- set row = run_query(
        "select array_join(collect_set(" ~ own ~ "), ','),"
        ~ " array_join(array_union(collect_set(" ~ first ~ "), collect_set(" ~ last ~ ")), ',')"
        ~ " from (select distinct " ~ strandline.bucket_start(task.aggregate_by, task.duration, task.time_zone)
        ~ " as bucket from (select * from " ~ task.feed ~ ") as feed where " ~ task.aggregate_by ~ " is not null and " ~ is_new ~ ")"
    ).rows[0] -%}
    {{- return({
        'target': (row[0] or '').split(',') | select | list,
        'feed': (row[1] or '').split(',') | select | list if feed_unit else [],
    }) -}}
{% endmacro %}

{#- The body of an incremental model of summaries of heartbeats by key and bucket.
    See _macros.yml. -#}
{% macro heartbeat_agg_table(source, ts, interval, bucket, keys=[], arrival='arrival',
    not_after=none) %}
    {{- strandline._points_table(strandline._heartbeat_agg_task(strandline._arguments(
        strandline._caller('heartbeat_agg_table'), kwargs, varargs, strandline._points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            {'interval': strandline._interval_argument(interval)})))) }}
{% endmacro %}

{#- The body of the model of points that a heartbeat_agg_table does not count, with the reason. It
    has the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro heartbeat_agg_late(source, ts, interval, bucket, keys=[], arrival='arrival',
    not_after=none, table=none) %}
    {{- strandline._late_points_table(strandline._heartbeat_agg_task(strandline._arguments(
        strandline._caller('heartbeat_agg_late'), kwargs, varargs,
        strandline._late_points_arguments(source, ts, bucket, keys, arrival, not_after,
            {'interval': strandline._interval_argument(interval)}, table)))) }}
{% endmacro %}

{#- What was read of the arguments, with the task of the materialization. -#}
{% macro _heartbeat_agg_task(read) %}
    {{- return(strandline._points_task('heartbeat_agg', read, none,
        {'interval': read.interval})) -}}
{% endmacro %}

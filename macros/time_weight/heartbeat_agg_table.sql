{#- The body of an incremental model of summaries of heartbeats by key and bucket.
    See _macros.yml. -#}
{% macro heartbeat_agg_table(source, ts, interval, bucket, keys=[], arrival='arrival',
    not_after=none) %}
    {%- do strandline._check_call('heartbeat_agg_table'
        ~ (' of ' ~ model.name if model is defined else ''), kwargs, varargs, {
        'source': [source, "pass a relation: ref('signal') or source('plant', 'signal')"],
        'ts': [ts, "name the column of the points' time"],
        'interval': [interval, "write how long a heartbeat keeps alive, such as '10 minutes'"],
        'bucket': [bucket, "write the length of a bucket such as '1 hour'"],
    }, ['keys', 'arrival', 'not_after']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._heartbeat_agg_task(
        source, keys, ts, interval, bucket, arrival, not_after, faults) -%}
    {{- strandline._points_table(task, source, faults) }}
{% endmacro %}

{#- What the materialization needs to know of a table of heartbeat summaries. -#}
{% macro _heartbeat_agg_task(source, keys, ts, interval, bucket, arrival, not_after, faults) %}
    {%- set micros = strandline._read_liveness(interval, faults) -%}
    {%- set task = strandline._points_task(
        'heartbeat_agg', source, keys, ts, none, none, bucket, arrival, not_after, faults) -%}
    {%- do task.pop('gap') -%}
    {%- do task.update({'interval': micros}) -%}
    {{- return(task) -}}
{% endmacro %}

{#- The body of the model of points that a heartbeat_agg_table does not count, with the reason. It
    has the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro heartbeat_agg_late(source, ts, interval, bucket, keys=[], arrival='arrival',
    not_after=none, table=none) %}
    {%- do strandline._check_call('heartbeat_agg_late'
        ~ (' of ' ~ model.name if model is defined else ''), kwargs, varargs, {
        'source': [source, "pass a relation: ref('signal') or source('plant', 'signal')"],
        'ts': [ts, "name the column of the points' time"],
        'interval': [interval, "write how long a heartbeat keeps alive, such as '10 minutes'"],
        'bucket': [bucket, "write the length of a bucket such as '1 hour'"],
    }, ['keys', 'arrival', 'not_after', 'table']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._heartbeat_agg_task(
        source, keys, ts, interval, bucket, arrival, not_after, faults) -%}
    {{- strandline._late_points_table(task, source, table, faults) }}
{% endmacro %}

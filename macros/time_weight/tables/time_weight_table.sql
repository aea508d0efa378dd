{#- The body of an incremental model of time weights by key and bucket. See _macros.yml. -#}
{% macro time_weight_table(source, keys, ts, value, method, bucket, gap=none, arrival='arrival') %}
    {%- set who = 'time_weight_table' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'source': [source, "hand in a relation: ref('signal') or source('plant', 'signal')"],
        'keys': [keys, "write a list of columns, such as ['sensor'], or [] for one signal"],
        'ts': [ts, "name the column of the points' time"],
        'value': [value, "name the column of the points' value"],
        'method': [method, "write one of locf, linear, trapezoidal"],
        'bucket': [bucket, "write the length of a bucket such as '1 hour'"],
    }, ['gap', 'arrival']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._time_weight_task(
        source, keys, ts, value, method, bucket, gap, arrival, faults) -%}
    {{- strandline._points_table(task, source, faults) }}
{% endmacro %}

{#- What the materialization must know of a table of time weights. -#}
{% macro _time_weight_task(source, keys, ts, value, method, bucket, gap, arrival, faults) %}
    {%- set method = strandline._read_method(method, faults) -%}
    {%- set task = strandline._points_task('time_weight', source, keys, ts, value, gap, bucket, arrival, faults) -%}
    {%- do task.update({'method': method}) -%}
    {{- return(task) -}}
{% endmacro %}

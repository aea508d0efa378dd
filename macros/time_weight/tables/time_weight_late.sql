{#- The body of the model of points that a time_weight_table does not count, each with its
    reason. It takes the table's arguments, so that one definition stands for both.
    See _macros.yml. -#}
{% macro time_weight_late(source, keys, ts, value, method, bucket, gap=none, arrival='arrival') %}
    {%- do strandline._check_call('time_weight_late' ~ (' of ' ~ model.name if model is defined else ''), kwargs, varargs, {
        'source': [source, "hand in a relation: ref('signal') or source('plant', 'signal')"],
        'keys': [keys, "write a list of columns, such as ['sensor'], or [] for one signal"],
        'ts': [ts, "name the column of the points' time"],
        'value': [value, "name the column of the points' value"],
        'method': [method, "write one of locf, linear, trapezoidal"],
        'bucket': [bucket, "write the length of a bucket such as '1 hour'"],
    }, ['gap',
        'arrival']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._time_weight_task(
        source, keys, ts, value, method, bucket, gap, arrival, faults) -%}
    {{- strandline._late_points_table(task, source, faults) }}
{% endmacro %}

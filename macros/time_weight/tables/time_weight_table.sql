{#- The body of an incremental model of time weights by key and bucket. See _macros.yml. -#}
{% macro time_weight_table(source, keys, ts, value, method, bucket, gap=none, arrival='arrival') %}
    {%- set faults = [] -%}
    {%- set method = strandline._read_method(method, faults) -%}
    {%- set task = strandline._points_task('time_weight', source, keys, ts, value, gap, bucket, arrival, faults) -%}
    {%- do task.update({'method': method}) -%}
    {{- strandline._points_table(task, faults) }}
{% endmacro %}

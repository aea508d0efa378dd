{#- The start of a table's bucket that holds an instant, in Unix microseconds; none when there is none. -#}
{% macro _start_micros(ts, task, source='select 1') %}
    {%- set start = run_query("select cast(unix_micros(" ~ strandline.bucket_start(ts, task.duration, task.time_zone)
        ~ ") as string) from (" ~ source ~ ")").rows[0][0] -%}
    {{- return(start if start is none else start | int) -}}
{% endmacro %}

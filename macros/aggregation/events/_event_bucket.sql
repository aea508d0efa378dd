{#- The bucket of the finest duration in which an event counts: its own, or the oldest open one for
    an event that is older than the buffer. -#}
{% macro _event_bucket(task) %}
    {%- set own = strandline.bucket_start('agg_event_time', task.finest, task.time_zone) -%}
    {%- if not task.buffer or task.buffer.drops -%}{{- return(own) -}}{%- endif -%}
    {{- return('greatest(' ~ own ~ ', ' ~ strandline._oldest_open(task) ~ ')') -}}
{% endmacro %}

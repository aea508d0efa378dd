{#- The partition of a coarser bucket, of a row of its feed: the feed's own where both are laid out alike and no clock
    ever changes, so that no bucket begins on another day than what it holds. -#}
{% macro _rolled_partition(task) %}
    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- if task.time_zone == 'UTC' and strandline._duration(task.feed_duration).partition == unit -%}{{- return('agg_partition') -}}{%- endif -%}
    {{- return(strandline._partition_of(strandline.bucket_start('agg_timestamp', task.duration, task.time_zone), unit, task.time_zone)) -}}
{% endmacro %}

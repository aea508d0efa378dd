{#- The oldest bucket that is open while `agg_newest` is the newest: so many buckets back. Days are
    counted from their noon, so that a clock change on the way does not matter. -#}
{% macro _oldest_open(task) %}
    {%- set steps = task.buffer.size -%}
    {%- if steps == 0 -%}{{- return('timestamp_seconds(agg_newest)') -}}{%- endif -%}
    {%- set length = {'seconds': 1, 'minutes': 60, 'hours': 3600, 'days': 86400}[task.finest] -%}
    {%- set noon = ' + 43200' if task.finest == 'days' else '' -%}
    {{- return(strandline.bucket_start('timestamp_seconds(agg_newest' ~ noon ~ ' - ' ~ steps * length ~ ')', task.finest, task.time_zone)) -}}
{% endmacro %}

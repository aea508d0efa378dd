{#- The place by which buckets are compared: their own, but on the zone's clock where hours are compared over days, so that
    eight o'clock meets eight o'clock across a clock change. The two passes of a repeated hour have one place then. -#}
{% macro _compared_place(task) %}
    {{- return('unix_micros(' ~ strandline._local('strandline_start', task.zone) ~ ')' if task.is_local else 'strandline_place') -}}
{% endmacro %}

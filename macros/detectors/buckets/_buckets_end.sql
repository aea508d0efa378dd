{#- The place at which the buckets end: that of `until`, else the end of the newest bucket of any key. -#}
{% macro _buckets_end(task) %}
    {%- if task.until is none -%}
        {{- return('(select max(strandline_place) + ' ~ task.granularity.step ~ 'L from given)') -}}
    {%- endif -%}
    {{- return('(select ' ~ strandline._place('last.strandline_until', task) ~ ' from (select ' ~ task.until ~ ' as strandline_until) as last)') -}}
{% endmacro %}

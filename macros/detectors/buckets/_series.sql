{#- A window over the buckets of one key, and of one place in the season if there is one. -#}
{% macro _series(task, order, season=none) %}
    {%- set parts = task.key + ([] if season is none else ['pmod(' ~ order ~ ', ' ~ season ~ 'L)']) -%}
    {{- return(('partition by ' ~ parts | join(', ') ~ ' ' if parts else '') ~ 'order by ' ~ order) -}}
{% endmacro %}

{#- The instant at which the bucket of a place begins. -#}
{% macro _place_start(place, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- if unit == 'micros' -%}{{- return('timestamp_micros(' ~ place ~ ')') -}}{%- endif -%}
    {%- set day = place if unit == 'days'
        else 'unix_date(make_date(cast((' ~ place ~ ') div 12 as int), cast(pmod(' ~ place ~ ', 12) + 1 as int), 1))' -%}
    {{- return(strandline._day_start(day, task.zone)) -}}
{% endmacro %}

{#- The place of a bucket among the others, a whole number of the granularity's unit: months or days of the zone's calendar, or
    microseconds. It is the same for the same start, and grows with it. -#}
{% macro _place(ts, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- if unit == 'micros' -%}{{- return('unix_micros(' ~ ts ~ ')') -}}{%- endif -%}
    {%- set day = strandline._local_day(ts, task.zone) -%}
    {%- if unit == 'days' -%}{{- return('cast(' ~ day ~ ' as bigint)') -}}{%- endif -%}
    {%- set date = 'date_from_unix_date(' ~ day ~ ')' -%}
    {{- return('cast(year(' ~ date ~ ') * 12 + month(' ~ date ~ ') - 1 as bigint)') -}}
{% endmacro %}

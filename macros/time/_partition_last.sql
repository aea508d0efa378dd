{#- The last day of the partition that begins at a date; both are Python dates. -#}
{% macro _partition_last(first, unit) %}
    {%- set one = modules.datetime.timedelta(days=1) -%}
    {%- if unit == 'week' -%}{{- return(first + 6 * one) -}}{%- endif -%}
    {%- set next = (first.replace(day=28) + 4 * one) if unit == 'month' else first.replace(month=12, day=28) + 4 * one -%}
    {{- return(next.replace(day=1) - one) -}}
{% endmacro %}

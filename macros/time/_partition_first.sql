{#- The first day of the week, month or year that a date lies in; both are Python dates. -#}
{% macro _partition_first(date, unit) %}
    {%- if unit == 'week' -%}{{- return(date - modules.datetime.timedelta(days=date.weekday())) -}}{%- endif -%}
    {{- return(date.replace(day=1) if unit == 'month' else date.replace(month=1, day=1)) -}}
{% endmacro %}

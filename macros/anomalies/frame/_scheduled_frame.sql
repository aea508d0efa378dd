{#- From the mark, or the mutability period before the end if that is earlier, to the end of the newest complete granule;
    without a mark from the beginning (start none). None when there is nothing to analyse. -#}
{% macro _scheduled_frame(settings, mark, now) %}
    {%- if now is none -%}{{- return(none) -}}{%- endif -%}
    {%- set granule = settings.granularity -%}
    {%- set end = (now - settings.completeness_delay) // granule * granule -%}
    {%- set start = mark -%}
    {%- if mark is not none and settings.mutability_period is not none -%}
        {%- set start = [mark, (end - settings.mutability_period) // granule * granule] | min -%}
    {%- endif -%}
    {%- if start is not none and start >= end -%}{{- return(none) -}}{%- endif -%}
    {{- return({'start': start, 'end': end, 'by_hand': false}) -}}
{% endmacro %}

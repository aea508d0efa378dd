{#- Whether a value has changed by so much that an anomaly is another one: above both thresholds, strictly and by magnitude.
    Unset means never; 0 means any change; what cannot be measured is above any threshold. -#}
{% macro _is_significant(settings, stored, found) %}
    {%- if settings.absolute is none or settings.percentage is none -%}{{- return('false') -}}{%- endif -%}
    {%- set change = 'abs(' ~ found ~ ' - ' ~ stored ~ ')' -%}
    {%- set unmeasurable = [] -%}
    {%- for value in [stored, found] -%}
        {%- do unmeasurable.append(value ~ " is null or abs(" ~ value ~ ") = double('Infinity')") -%}
    {%- endfor -%}
    {%- set is_above = 'true' if settings.percentage | replace('D', '') | float == 0 else stored ~ ' = 0 or round(100 * ' ~ change
        ~ ' / abs(nullif(' ~ stored ~ ', 0)), 4) > ' ~ settings.percentage -%}
    {{- return('not (' ~ stored ~ ' <=> ' ~ found ~ ') and (' ~ unmeasurable | join(' or ') ~ ' or (' ~ change ~ ' > '
        ~ settings.absolute ~ ' and (' ~ is_above ~ ')))') -}}
{% endmacro %}

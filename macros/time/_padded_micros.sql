{#- An instant's text with all six digits of its microseconds, as Python reads it. -#}
{% macro _padded_micros(text) %}
    {%- set whole, dot, fraction = text.partition('.') -%}
    {{- return(whole ~ '.' ~ (fraction ~ '000000')[:6]) -}}
{% endmacro %}

{#- A number as a SQL literal of a double; refuses what is none, or lies outside of its bounds. -#}
{% macro _detector_number(name, value, lowest, highest, what, faults) %}
    {%- if value is not number or value is boolean or not lowest <= value <= highest -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ value ~ "'; write " ~ what) -%}
    {%- endif -%}
    {{- return(value ~ 'D') -}}
{% endmacro %}

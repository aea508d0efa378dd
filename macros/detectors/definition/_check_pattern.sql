{#- Refuses a pattern that is none. -#}
{% macro _check_pattern(pattern, faults) %}
    {%- if pattern not in ['up', 'down', 'up_or_down'] -%}
        {%- do faults.append("`pattern` is '" ~ pattern ~ "'; write one of up, down, up_or_down") -%}
    {%- endif -%}
{% endmacro %}

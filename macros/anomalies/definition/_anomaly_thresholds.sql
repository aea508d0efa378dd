{#- The thresholds as SQL literals, by name; none where one is unset. -#}
{% macro _anomaly_thresholds(given, faults) %}
    {%- set literals = {} -%}
    {%- for name, value in given.items() -%}
        {%- if value is not none and (value is not number or value is boolean or not 0 <= value < 1e300) -%}
            {%- do faults.append("`" ~ name ~ "` is '" ~ value ~ "'; write a number from 0 up (0 means any change), or leave "
                ~ "it out (never)") -%}
        {%- endif -%}
        {%- do literals.update({name: none if value is none else value ~ 'D'}) -%}
    {%- endfor -%}
    {{- return(literals) -}}
{% endmacro %}

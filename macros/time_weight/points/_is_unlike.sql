{#- Whether two neighbouring time weights cannot be joined. -#}
{% macro _is_unlike(a, b) -%}
    {{ a }}.method <> {{ b }}.method or not {{ a }}.gap <=> {{ b }}.gap or {{ a }}.last_time >= {{ b }}.first_time
{%- endmacro %}

{#- Whether two neighbouring summaries of states cannot be joined: touching is allowed in one and the same state. -#}
{% macro _is_unlike_states(a, b) -%}
    not {{ a }}.gap <=> {{ b }}.gap or {{ a }}.last_time > {{ b }}.first_time
                or ({{ a }}.last_time = {{ b }}.first_time and {{ a }}.last_state <> {{ b }}.first_state)
                or ({{ a }}.timeline is null) <> ({{ b }}.timeline is null)
{%- endmacro %}

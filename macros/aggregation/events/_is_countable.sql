{#- Whether an event may count at all: it has a time, and it is the first of its id. -#}
{% macro _is_countable(task) -%}
    agg_event_time is not null
    {%- if task.event_id %} and {{ task.event_id }} is not null and agg_copy = 1{% endif %}
{%- endmacro %}

{#- Whether the summary of heartbeats `h.prev` cannot be the one before `h.own`. -#}
{% macro _is_unlike_before() -%}
    h.prev.interval <> h.own.interval or h.prev.end > h.own.start
{%- endmacro %}

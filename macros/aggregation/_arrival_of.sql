{#- The arrival of a row of the feed. An event without one could be neither remembered as consumed
    nor told from a new one, so it stops the run instead of being lost or counted twice. -#}
{% macro _arrival_of(task) %}
    {%- if not task.from_events -%}{{- return(task.arrival) -}}{%- endif -%}
    coalesce({{ task.arrival }}, raise_error('aggregation {{ task.aggregation }}: an event of {{ task.feed_name }} has no {{ task.arrival }}; every event needs an arrival that only grows'))
{%- endmacro %}

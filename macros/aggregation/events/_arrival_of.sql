{#- The arrival of an event. One without could be neither remembered as consumed nor told from a new
    one, so it stops the run instead of being lost or counted twice. -#}
{% macro _arrival_of(task) -%}
    coalesce(feed.{{ task.arrival }}, raise_error({{ strandline._literal("aggregation " ~ task.aggregation ~ ": an event of " ~ task.feed_name ~ " has no " ~ task.arrival ~ "; every event needs an arrival that only grows") }}))
{%- endmacro %}

{#- Stops the query with why the summary of heartbeats `h.prev` cannot be the one before `h.own`. -#}
{% macro _refused_before() -%}
    raise_error(concat('heartbeat_agg: `prev` lasts from ', h.prev.start, ' to ', h.prev.end, ' with an interval of ', h.prev.interval / 1e6D,
                ' seconds, and the summary from ', h.own.start, ' to ', h.own.end, ' with ', h.own.interval / 1e6D,
                ' seconds; `prev` ends before the summary starts, or when it does, and has its interval'))
{%- endmacro %}

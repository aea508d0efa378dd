{#- The uptime with what the last heartbeat of the range before keeps alive, in seconds. See _macros.yml. -#}
{% macro interpolated_uptime(summary, prev) -%}
    {{ strandline._length_of(strandline._live(summary, prev)) }}
{%- endmacro %}

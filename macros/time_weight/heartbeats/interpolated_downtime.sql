{#- The downtime with what the last heartbeat of the range before keeps alive, in seconds. See _macros.yml. -#}
{% macro interpolated_downtime(summary, prev) -%}
    {{ strandline._length_of(strandline._dead(summary, prev)) }}
{%- endmacro %}

{#- How long a signal was alive between start and end, in seconds. See _macros.yml. -#}
{% macro uptime(summary) -%}
    {{ strandline._length_of(strandline._live(summary)) }}
{%- endmacro %}

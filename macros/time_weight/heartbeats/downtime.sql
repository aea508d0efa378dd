{#- How long a signal was dead between start and end, in seconds. See _macros.yml. -#}
{% macro downtime(summary) -%}
    {{ strandline._length_of(strandline._dead(summary)) }}
{%- endmacro %}

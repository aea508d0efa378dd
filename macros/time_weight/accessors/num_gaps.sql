{#- How many intervals of a time weight were longer than its gap, or how many stretches of a heartbeat were
    dead. See _macros.yml. -#}
{% macro num_gaps(summary) -%}
    ({{ summary }}).num_gaps
{%- endmacro %}

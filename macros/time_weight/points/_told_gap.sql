{#- A gap as a message says it. -#}
{% macro _told_gap(gap) -%}
    coalesce(concat({{ gap }} / 1e6D, ' seconds'), 'none')
{%- endmacro %}

{#- The length of ranges of microseconds in all, in seconds. -#}
{% macro _length_of(ranges) -%}
    aggregate({{ ranges }}, 0L, (sum, x) -> sum + x.to - x.from) / 1e6D
{%- endmacro %}

{#- The integral over a whole bucket, what its neighbours lend it included. See _macros.yml. -#}
{% macro interpolated_integral(summary, start, length=none, prev=none, next=none, unit='second', end=none) -%}
    {{- strandline.integral(strandline._interpolated(summary, start, length, prev, next, end, 'interpolated_integral'), unit) }}
{%- endmacro %}

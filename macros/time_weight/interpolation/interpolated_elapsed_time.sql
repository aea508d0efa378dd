{#- The time that counts in a whole bucket, what its neighbours lend it included. See _macros.yml. -#}
{% macro interpolated_elapsed_time(summary, start, length=none, prev=none, next=none, unit='second', end=none) -%}
    {{- strandline.elapsed_time(strandline._interpolated(summary, start, length, prev, next, end, 'interpolated_elapsed_time'), unit) }}
{%- endmacro %}

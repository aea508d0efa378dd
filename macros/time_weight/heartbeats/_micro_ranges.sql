{#- Ranges of instants as ranges of microseconds, in the order of their start. -#}
{% macro _micro_ranges(ranges) -%}
    array_sort(transform({{ ranges }}, x -> named_struct('from', unix_micros(x.start), 'to', unix_micros(x.end))))
{%- endmacro %}

{#- Ranges of microseconds as an array of structs (start, end) of instants. -#}
{% macro _told_ranges(ranges) -%}
    transform({{ ranges }}, x -> named_struct('start', timestamp_micros(x.from), 'end', timestamp_micros(x.to)))
{%- endmacro %}

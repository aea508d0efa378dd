{#- The points of a group in the order of time, as an array. Those without a time or a value are left out.
    Among equal times the first to arrive stands first, and without an arrival the least value: any
    order of the rows gives the same. -#}
{% macro _collected_points(ts, value, arrival=none) -%}
    sort_array(collect_list(case when {{ ts }} is not null and {{ value }} is not null then named_struct(
        't', unix_micros(cast({{ ts }} as timestamp)),
        {%- if arrival %} 'arrival', {{ arrival }},{% endif %} 'value', cast({{ value }} as double)) end))
{%- endmacro %}

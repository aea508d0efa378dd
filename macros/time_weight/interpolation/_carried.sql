{#- LOCF: the last value before the bucket is valid up to its first point, the last one of its own up to its end, and
    neither for longer than the gap from its own time. -#}
{% macro _carried() -%}
    {{- strandline._with_edges(
        {'length': 'if(b.pt is null, 0L, greatest(least(coalesce(b.ft, b.to), coalesce(b.pt + b.gap, b.to)) - b.from, 0L))', 'value': 'b.pv'},
        {'length': 'if(b.lt is null, 0L, least(b.to, coalesce(b.lt + b.gap, b.to)) - b.lt)', 'value': 'b.lv'}) }}
{%- endmacro %}

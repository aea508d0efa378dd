{#- Linear: the line from the last point before the bucket to its first, and from its last to the first after it, each cut at
    the bucket's edge; over a bucket without points, the line from before it to after it. No line is
    drawn over a gap. -#}
{% macro _lined() -%}
    {{- strandline._with_edges(
        strandline._line('b.pt', 'b.pv', 'coalesce(b.ft, b.nt)', 'coalesce(b.fv, b.nv)', 'b.from', 'coalesce(b.ft, b.to)', 'b.gap'),
        strandline._line('b.lt', 'b.lv', 'b.nt', 'b.nv', 'b.lt', 'b.to', 'b.gap')) }}
{%- endmacro %}

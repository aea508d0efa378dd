{#- Ranges of microseconds in the order of their start, overlapping and touching ones made one. -#}
{% macro _joined_ranges(ranges) -%}
    aggregate({{ ranges }},
            named_struct('done', cast(array() as array<struct<from: bigint, to: bigint>>), 'from', cast(null as bigint), 'to', cast(null as bigint)),
            (r, x) -> case
                when r.from is null then named_struct('done', r.done, 'from', x.from, 'to', x.to)
                when x.from <= r.to then named_struct('done', r.done, 'from', r.from, 'to', greatest(r.to, x.to))
                else named_struct('done', concat(r.done, array(named_struct('from', r.from, 'to', r.to))), 'from', x.from, 'to', x.to) end,
            r -> if(r.from is null, r.done, concat(r.done, array(named_struct('from', r.from, 'to', r.to)))))
{%- endmacro %}

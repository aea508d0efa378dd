{#- Whether a signal was alive at an instant; null outside of its range. See _macros.yml. -#}
{% macro live_at(summary, ts) -%}
    transform(array(named_struct('own', {{ summary }}, 'at', cast({{ ts }} as timestamp))), h -> if(h.at >= h.own.start and h.at < h.own.end,
        exists(h.own.ranges, x -> x.start <= h.at and h.at < x.end), null))[0]
{%- endmacro %}

{#- The summary of heartbeats from the joined ranges in which they keep alive. The last range may reach beyond the end:
    a rollup with what follows needs to know. -#}
{% macro _told_heartbeats(start, end, interval, first, last, ranges) -%}
    transform(array({{ ranges }}), r -> named_struct(
                'start', timestamp_micros({{ start }}), 'end', timestamp_micros({{ end }}), 'interval', {{ interval }},
                'first_time', timestamp_micros({{ first }}), 'last_time', timestamp_micros({{ last }}),
                'ranges', transform(r, x -> named_struct('start', timestamp_micros(x.from), 'end', timestamp_micros(x.to))),
                'num_gaps', if(size(r) = 0, 1L, size(r) - 1L + if(r[0].from > {{ start }}, 1L, 0L) + if(r[size(r) - 1].to < {{ end }}, 1L, 0L))))[0]
{%- endmacro %}

{#- What of the range of heartbeats is not alive, in microseconds. -#}
{% macro _dead(summary, prev=none) -%}
    transform(array({{ strandline._live(summary, prev) }}), r -> filter(zip_with(
            concat(array(unix_micros(({{ summary }}).start)), transform(r, x -> x.to)),
            concat(transform(r, x -> x.from), array(unix_micros(({{ summary }}).end))),
            (from, to) -> named_struct('from', from, 'to', to)), x -> x.from < x.to))[0]
{%- endmacro %}

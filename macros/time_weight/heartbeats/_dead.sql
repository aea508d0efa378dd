{#- What of the range of heartbeats is not alive, in microseconds. -#}
{% macro _dead(summary, prev=none) -%}
    transform(array(named_struct('live', {{ strandline._live(summary, prev) }}, 'own', {{ summary }})), r -> filter(zip_with(
            concat(array(unix_micros(r.own.start)), transform(r.live, x -> x.to)),
            concat(transform(r.live, x -> x.from), array(unix_micros(r.own.end))),
            (from, to) -> named_struct('from', from, 'to', to)), x -> x.from < x.to))[0]
{%- endmacro %}

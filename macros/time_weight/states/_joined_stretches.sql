{#- Stretches in the order of time, neighbours of one state that touch made one: a stretch begins where the one before is of
    another state or has ended earlier, and ends where the one after begins anew. -#}
{% macro _joined_stretches(s) -%}
    zip_with(
            filter({{ s }}, (x, i) -> i = 0 or {{ s }}[i - 1].state <> x.state or {{ s }}[i - 1].to < x.from),
            filter({{ s }}, (x, i) -> i = size({{ s }}) - 1 or {{ s }}[i + 1].state <> x.state or x.to < {{ s }}[i + 1].from),
            (a, z) -> named_struct('state', a.state, 'start', timestamp_micros(a.from), 'end', timestamp_micros(z.to)))
{%- endmacro %}

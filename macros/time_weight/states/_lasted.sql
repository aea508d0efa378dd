{#- How many seconds a state lasted between a start and an end; null when one of them is. What the user wrote stands outside of
    the lambda, whose names it might use. -#}
{% macro _lasted(timeline, state, start, end) -%}
    transform(array(named_struct('timeline', {{ timeline }}, 'from', unix_micros(cast({{ start }} as timestamp)), 'to', {{ end }})),
        r -> if(r.from is null or r.to is null, null, aggregate(
            filter(r.timeline, x -> x.state = {{ state }}), 0L,
            (sum, x) -> sum + greatest(least(unix_micros(x.end), r.to) - greatest(unix_micros(x.start), r.from), 0L))))[0] / 1e6D
{%- endmacro %}

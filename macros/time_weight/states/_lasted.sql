{#- How many microseconds of a timeline a state lasted between a start and an end. -#}
{% macro _lasted(timeline, state, start, end) -%}
    aggregate(
        filter({{ timeline }}, x -> x.state = {{ state }}), 0L,
        (sum, x) -> sum + greatest(least(unix_micros(x.end), {{ end }}) - greatest(unix_micros(x.start), unix_micros(cast({{ start }} as timestamp))), 0L))
{%- endmacro %}

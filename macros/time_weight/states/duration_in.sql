{#- How long a state lasted, in seconds, in all or in a range. See _macros.yml. -#}
{% macro duration_in(summary, state, start=none, length=none, end=none) -%}
    {%- set literal = strandline._state_literal(state, 'duration_in of ' ~ summary) -%}
    {%- if start is none and length is none and end is none -%}
    if({{ summary }} is null, null, coalesce(get(filter(({{ summary }}).durations, x -> x.state = {{ literal }}), 0).duration, 0L) / 1e6D)
    {%- else -%}
    {{- strandline._lasted(strandline._timeline(summary, 'duration_in'), literal, start, strandline._bucket_end(start, length, end, 'duration_in of ' ~ summary)) }} / 1e6D
    {%- endif -%}
{%- endmacro %}

{#- How long a state lasted, in seconds, in all or in a range. See _macros.yml. -#}
{% macro duration_in(summary, state, start=none, length=none, end=none) -%}
    {%- set who = 'duration_in of ' ~ summary -%}
    {%- set literal = strandline._state_literal(state, who) -%}
    {%- if start is none and length is none and end is none -%}
    if({{ summary }} is null, null, coalesce(get(filter(({{ summary }}).durations, x -> x.state = {{ literal }}), 0).duration, 0L) / 1e6D)
    {%- elif start is none -%}
        {%- do strandline._refuse(who, ["`start` is missing; write where the range begins, or leave `length` and `end` out as well"]) -%}
    {%- else -%}
    {{- strandline._lasted(strandline._timeline(summary, 'duration_in'), literal, start, strandline._bucket_end(start, length, end, who)) }}
    {%- endif -%}
{%- endmacro %}

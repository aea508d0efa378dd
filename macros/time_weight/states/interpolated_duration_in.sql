{#- How long a state lasted in a whole bucket, in seconds: with the state that the summary before it ended in, and its own
    last one up to the bucket's end, each at most for the gap. See _macros.yml. -#}
{% macro interpolated_duration_in(summary, state, start, length=none, prev=none, end=none) -%}
    {%- set who = 'interpolated_duration_in of ' ~ summary -%}
    {%- set literal = strandline._state_literal(state, who) -%}
    transform(array(named_struct(
            'own', {{ summary }}, 'prev', {{ prev or 'if(false, ' ~ summary ~ ', null)' }},
            'from', unix_micros(cast({{ start }} as timestamp)), 'to', {{ strandline._bucket_end(start, length, end, who) }})),
        b -> case
            when b.from is null or b.to is null or (b.own is null and b.prev is null) then null
            when {{ strandline._is_outside_bucket() }} then {{ strandline._refused_bucket(who) }}
            else coalesce(get(filter(b.own.durations, x -> x.state = {{ literal }}), 0).duration, 0L)
                + if(b.prev.last_state = {{ literal }}, greatest(0L, least(coalesce(unix_micros(b.own.first_time), b.to),
                    coalesce(unix_micros(b.prev.last_time) + b.prev.gap, b.to)) - b.from), 0L)
                + if(b.own.last_state = {{ literal }}, least(b.to, coalesce(unix_micros(b.own.last_time) + b.own.gap, b.to))
                    - unix_micros(b.own.last_time), 0L)
            end)[0] / 1e6D
{%- endmacro %}

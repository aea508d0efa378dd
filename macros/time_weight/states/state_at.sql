{#- The state at an instant; null outside the summary and in a gap. See _macros.yml. -#}
{% macro state_at(summary, ts) -%}
    transform(array(named_struct('own', {{ summary }}, 'timeline', {{ strandline._timeline(summary, 'state_at') }}, 'at', cast({{ ts }} as timestamp))),
        s -> if(s.at = s.own.last_time, s.own.last_state, get(filter(s.timeline, x -> x.start <= s.at and s.at < x.end), 0).state))[0]
{%- endmacro %}

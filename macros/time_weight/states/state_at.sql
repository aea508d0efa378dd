{#- The state at an instant; null outside the summary and in a gap. See _macros.yml. -#}
{% macro state_at(summary, ts) -%}
    if({{ ts }} = ({{ summary }}).last_time, ({{ summary }}).last_state,
        get(filter({{ strandline._timeline(summary, 'state_at') }}, x -> x.start <= {{ ts }} and {{ ts }} < x.end), 0).state)
{%- endmacro %}

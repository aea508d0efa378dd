{#- The summary of states from their stretches in the order of time. `told` are its other fields. -#}
{% macro _told_states(stretches, told, is_full) -%}
    transform(array({{ stretches }}), s -> named_struct(
        {%- for name, value in told.items() %}
        '{{ name }}', {{ value }},
        {%- endfor %}
        'durations', {{ strandline._durations_of('s') }},
        'timeline', {{ 'if(' ~ is_full ~ ', ' ~ strandline._joined_stretches('s') ~ ', null)' }}))[0]
{%- endmacro %}

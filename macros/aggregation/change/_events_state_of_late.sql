{#- What the table of late events must know of the events before: see `_events_state`. The newest
    bucket is remembered beside the arrival up to which it has looked. -#}
{% macro _events_state_of_late(task, is_new, looked) %}
    {%- set state = strandline._events_state(none, task, is_new) -%}
    {%- if is_new and looked.get('newest') is not none -%}{%- do state.update({'newest': looked.newest ~ 'L'}) -%}{%- endif -%}
    {{- return(state) -}}
{% endmacro %}

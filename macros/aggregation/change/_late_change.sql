{#- What is new among the late events: rows to append, if any, and how far the table has looked, as a
    property of its own. Looking may lag behind the rows, never lead: a run that was killed between
    the two looks again, and appends nothing twice. -#}
{% macro _late_change(relation, task, properties) %}
    {%- set looked = fromjson(properties.get('strandline.looked', '{}')) -%}
    {%- do task.update({'purged_before': properties.get('strandline.purged_before')}) -%}
    {%- set is_new = strandline._is_new(task, looked.get('arrival')) -%}
    {%- set state = strandline._events_state_of_late(task, is_new, looked) -%}
    {%- set events = strandline._events(task, is_new, state) -%}
    {%- set told = strandline._stored_arrival(relation, task.arrival) -%}
    {%- set untold = 'late_reason is not null' ~ (' and ' ~ task.arrival ~ ' > ' ~ told if told else '') -%}
    {%- set seen = strandline._look(task, events, untold) -%}
    {%- if seen.arrival is none -%}{{- return(none) -}}{%- endif -%}
    {{- return({
        'sql': events ~ strandline._late_rows(task, untold) if seen.late.count else none,
        'properties': {'strandline.looked': tojson({'arrival': seen.arrival, 'newest': seen.newest or looked.get('newest')})},
        'consumed': told, 'column': task.arrival, 'late': seen.late,
    }) -}}
{% endmacro %}

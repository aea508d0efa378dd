{#- The rows that are inside a window in a cycle of another row, as a lateral relation for a join.
    See _macros.yml. -#}
{% macro row_status_at(window, cycle) %}
    {%- set given = strandline._arguments('row_status_at', kwargs, varargs, {
        'window': ['relation', window, "pass a window: ref('vehicle_reports')"],
        'cycle': ['text', cycle, "write a cycle, such as 'reports.cycle' of a row_status"],
    }) -%}
    {%- set read = strandline._read_window(window, given.types.window, given.faults) -%}
    {%- do strandline._refuse('row_status_at', given.faults) -%}
    {{- return('lateral (select * from ('
        ~ strandline._shown_rows(window, read, 'entered', 'entry', 'true') ~ ') where entered <= '
        ~ cycle ~ ' and (expelled is null or expelled > ' ~ cycle ~ '))') -}}
{% endmacro %}

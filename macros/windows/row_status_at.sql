{#- The rows that are inside a window in a cycle of another row, as a lateral relation for a join.
    See _macros.yml. -#}
{% macro row_status_at(window, cycle) %}
    {%- do strandline._check_call('row_status_at', kwargs, varargs, {
        'window': [window, "pass a window: ref('vehicle_reports')"],
        'cycle': [cycle, "write a cycle, such as 'reports.cycle' of a row_status"],
    }) -%}
    {%- set faults = [] -%}
    {%- set read = strandline._read_window(window, faults) -%}
    {%- if cycle is not string or not cycle | trim -%}
        {%- do faults.append("`cycle` is '" ~ cycle ~ "'; write a cycle, such as 'reports.cycle' "
            ~ "of a row_status") -%}
    {%- endif -%}
    {%- do strandline._refuse('row_status_at', faults) -%}
    {{- return('lateral (select * from ('
        ~ strandline._shown_rows(window, read, 'entered', 'entry', 'true') ~ ') where entered <= '
        ~ cycle ~ ' and (expelled is null or expelled > ' ~ cycle ~ '))') -}}
{% endmacro %}

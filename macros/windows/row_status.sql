{#- The rows of a window by their status, as a relation for `from`. See _macros.yml. -#}
{% macro row_status(window, status, first=none, order_by=none) %}
    {%- do strandline._check_call('row_status', kwargs, varargs, {
        'window': [window, "pass a window: ref('denial_attack_check')"],
        'status': [status, "write 'new', 'dead' or 'not dead'"],
    }, ['first', 'order_by']) -%}
    {%- set faults = strandline._window_faults(window) -%}
    {%- set text = (status | string | lower).split() | join(' ') -%}
    {%- if text not in ['new', 'dead', 'not dead'] -%}
        {%- do faults.append("`status` is '" ~ status ~ "'; write 'new' (entered), 'dead' "
            ~ "(expelled) or 'not dead' (inside)") -%}
    {%- endif -%}
    {%- if first is not none and (first is not integer or first is boolean or first < 1) -%}
        {%- do faults.append("`first` is '" ~ first
            ~ "'; write a whole number from 1 up: so many rows of each cycle") -%}
    {%- elif order_by is not none and first is none -%}
        {%- do faults.append("`order_by` is given without `first`; a relation has no order: write "
            ~ "order by in the query") -%}
    {%- elif first is not none and text == 'not dead' -%}
        {%- do faults.append("`first` is given with 'not dead', which is no cycle; write a limit "
            ~ "in the query") -%}
    {%- endif -%}
    {%- do strandline._refuse('row_status', faults) -%}
    {%- set cycle, place, condition = {
        'new': ['entered', 'entry', 'true'],
        'dead': ['expelled', 'exit', 'expelled is not null'],
        'not dead': ['entered', 'entry', "window_part = 'open' and expelled is null"],
    }[text] -%}
    {%- set rows = strandline._shown_rows(window, cycle, place, condition) -%}
    {%- if first is not none -%}
        {%- set rows = 'select * except (window_rank) from (select *, row_number() over (partition '
            ~ 'by cycle order by ' ~ (order_by or 'place') ~ ') as window_rank from (' ~ rows
            ~ ')) where window_rank <= ' ~ first -%}
    {%- endif -%}
    {{- return('(' ~ rows ~ ')') -}}
{% endmacro %}

{#- The rows of a window as a query: its own columns, `entered`, `expelled`, and `cycle` and `place`
    of the status. -#}
{% macro _shown_rows(window, cycle, place, condition) %}
    {{- return('select * except (' ~ strandline._window_columns()
        | reject('in', ['entered', 'expelled']) | join(', ') ~ '), '
        ~ cycle ~ ' as cycle, ' ~ place ~ ' as place from ' ~ window
        ~ " where row_kind = 'row' and " ~ condition) -}}
{% endmacro %}

{#- Faults of a relation that should be a window. -#}
{% macro _window_faults(window) %}
    {%- if window is string or window is none -%}
        {{- return(["`window` is '" ~ window ~ "'; pass a window: ref('denial_attack_check')"]) -}}
    {%- endif -%}
    {{- return([]) -}}
{% endmacro %}

{#- The rows of a window by their status, as a relation for `from`. See _macros.yml. -#}
{% macro row_status(window, status, first=none, order_by=none) %}
    {%- set given = strandline._arguments('row_status', kwargs, varargs, {
        'window': ['relation', window, "pass a window: ref('denial_attack_check')"],
        'status': ['any', status, "write 'new', 'dead' or 'not dead'"],
        'first': ['count', first, "write a whole number from 1 up: so many rows of each cycle",
            {'optional': true, 'from': 1}],
        'order_by': ['any', order_by],
    }) -%}
    {%- set faults = given.faults -%}
    {%- set read = strandline._read_window(window, given.types.window, faults) -%}
    {%- set text = (status | string | lower).split() | join(' ') -%}
    {%- if text not in ['new', 'dead', 'not dead'] -%}
        {%- do faults.append("`status` is '" ~ status ~ "'; write 'new' (entered), 'dead' "
            ~ "(expelled) or 'not dead' (inside)") -%}
    {%- elif text == 'dead' and read.is_correlation -%}
        {%- do faults.append("`status` is 'dead', and `window` " ~ window.identifier ~ " is a "
            ~ "correlation; its rows are firings, which are never expelled: write 'new'") -%}
    {%- endif -%}
    {%- if order_by is not none and first is none -%}
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
        'not dead': ['entered', 'entry', 'expelled is null'
            ~ ('' if read.is_correlation else " and window_part = 'open'")],
    }[text] -%}
    {%- if first is none -%}
        {{- return('(' ~ strandline._shown_rows(window, read, cycle, place, condition) ~ ')') -}}
    {%- endif -%}
    {%- set ranked = 'select *, row_number() over (partition by ' ~ cycle ~ ' order by '
        ~ (order_by or '__place') ~ ') as __rank from ('
        ~ strandline._shown_rows(window, read, cycle, place, condition, place ~ ' as __place')
        ~ ')' -%}
    {{- return('(select * except (__rank, __place) from (' ~ ranked ~ ') where __rank <= ' ~ first
        ~ ')') -}}
{% endmacro %}

{#- The rows of a window as a query: its own columns, `entered`, `expelled`, and `cycle` and `place`
    of the status. A column of the window that is called `cycle` or `place` stays what it is: the
    cycle is then read as `entered` or `expelled`, which are always there, and the place as `entry`
    or `exit`. -#}
{% macro _shown_rows(window, read, cycle, place, condition, extra=none) %}
    {%- set added = [] if 'cycle' in read.columns else [cycle ~ ' as cycle'] -%}
    {%- do added.append(place if 'place' in read.columns else place ~ ' as place') -%}
    {%- if extra -%}{%- do added.append(extra) -%}{%- endif -%}
    {{- return('select * except (' ~ strandline._window_columns()
        | reject('in', ['entered', 'expelled']) | join(', ') ~ '), ' ~ added | join(', ')
        ~ ' from ' ~ window ~ " where row_kind = 'row' and " ~ condition) -}}
{% endmacro %}

{#- The `columns` of a relation that should be a window, and whether it `is_correlation`. While dbt
    parses, and for a window that does not exist yet, there are none. Appends a fault. -#}
{% macro _read_window(window, types, faults) %}
    {%- if types and 'window_part' not in types -%}
        {%- do faults.append("`window` is " ~ window.identifier ~ ", which is not a window; "
            ~ "pass a table of window_table or correlation_table") -%}
    {%- elif types -%}
        {#- `--empty` and `--sample` wrap a relation in a query. -#}
        {%- set itself = api.Relation.create(database=window.database, schema=window.schema,
            identifier=window.identifier) -%}
        {%- set task = strandline._properties_of(itself).get('strandline.task') -%}
        {{- return({'columns': types | list,
            'is_correlation': task is not none and fromjson(task).kind == 'correlation'}) -}}
    {%- endif -%}
    {{- return({'columns': [], 'is_correlation': false}) -}}
{% endmacro %}

{#- Appends a fault if a window reads the dead rows of a correlation, which has none. -#}
{% macro _check_dead_firings(task, source, types, faults) %}
    {%- if 'window_part' in types and task.status == 'dead'
        and strandline._read_window(source, types, faults).is_correlation -%}
        {%- do faults.append("`where` begins with '$row_status is dead', and `source` "
            ~ source.identifier ~ " is a correlation; its rows are firings, which are never "
            ~ "expelled: write '$row_status is new'") -%}
    {%- endif -%}
{% endmacro %}

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

{#- The body of the ledger of a window: where the events of its source have gone, one row for each
    run that read some. See _macros.yml. -#}
{% macro window_ledger(source, window, arrival='arrival', quarantine=none) %}
    {%- set who = 'window_ledger' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'source': [source, "pass a relation: ref('request_events') or source('web', 'requests')"],
        'window': [window, "pass a window: ref('denial_attack_check')"],
    }, ['arrival', 'quarantine']) -%}
    {%- do strandline._check_ledger(who, source, [
        ['window', window, 'window_progress', 'a table of window_table']], arrival, quarantine) -%}
    {%- set types = strandline._types_of(window) if execute else {} -%}
    {%- if types -%}
        {%- do strandline._refuse(who, strandline._chained_faults(source, window)) -%}
    {%- endif -%}
    {#- Behind aggregates the columns of an event are in a struct. -#}
    {%- set quoted = strandline._quoted(arrival) -%}
    {%- set number = 'window_event.' ~ quoted if arrival | lower not in types else quoted -%}
    {%- set late = "(select " ~ number ~ " as " ~ quoted ~ ", reason as late_reason from "
        ~ window ~ " where row_kind = 'late')" -%}
    {%- set clock = window ~ " where window_part = 'open' and row_kind = 'clock'" -%}
    {#- The clock counts the events that were read, late ones too, in the same commit. -#}
    {%- set counted = "(select window_progress.arrival as agg_arrival, window_progress.events - "
        ~ "(select count(*) from " ~ late ~ ") as agg_count from " ~ clock ~ ")" -%}
    {%- set read = "select window_progress.arrival from " ~ clock
        ~ " and window_progress.arrival is not null" -%}
    {%- set tables = [{'name': window.identifier, 'relation': counted, 'is_kept': true}] -%}
    {{- strandline._ledger_body(window.identifier, source, arrival, tables, late, quarantine,
        {'late_arrival': read}) -}}
{% endmacro %}

{#- Faults of a window that reads another one, and of a source that is a window. -#}
{% macro _chained_faults(source, window) %}
    {%- set faults = [] -%}
    {%- if 'window_progress' in strandline._types_of(source) -%}
        {%- do faults.append("`source` is " ~ source.identifier ~ ", which is a window; pass the "
            ~ "table of events, and the window that reads it") -%}
    {%- elif strandline._properties_of(window)['strandline.depth'] | int > 1 -%}
        {%- do faults.append("`window` is " ~ window.identifier ~ ", which reads another window; "
            ~ "pass the window that reads the events") -%}
    {%- endif -%}
    {{- return(faults) -}}
{% endmacro %}

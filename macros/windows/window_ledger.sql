{#- The body of the ledger of a window: where the events of its source have gone, one row for each
    run that read some. See _macros.yml. -#}
{% macro window_ledger(source, window, arrival='arrival', quarantine=none) %}
    {%- set read = strandline._arguments(strandline._caller('window_ledger'), kwargs, varargs, {
        'source': ['relation', source],
        'window': ['relation', window,
            "pass a table of window_table: ref(…)",
            {'has': 'window_progress'}],
        'arrival': ['column', arrival],
        'quarantine': strandline._quarantine_argument(quarantine),
    }) -%}
    {%- set types = read.types.window -%}
    {%- do strandline._refuse(read.who, read.faults or strandline._chained_faults(read)) -%}
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
{% macro _chained_faults(read) %}
    {%- if 'window_progress' in read.types.source -%}
        {{- return(["`source` is " ~ read.source.identifier ~ ", which is a window; pass the table "
            ~ "of events, and the window that reads it"]) -}}
    {%- elif read.types.window
        and strandline._properties_of(read.window)['strandline.depth'] | int > 1 -%}
        {{- return(["`window` is " ~ read.window.identifier ~ ", which reads another window; pass "
            ~ "the window that reads the events"]) -}}
    {%- endif -%}
    {{- return([]) -}}
{% endmacro %}

{#- The body of the ledger of a table of points: where the points of its source have gone, one row
    for each run that read some. See _macros.yml. -#}
{% macro points_ledger(source, table, late, arrival='arrival', quarantine=none) %}
    {%- set read = strandline._arguments(strandline._caller('points_ledger'), kwargs, varargs, {
        'source': ['relation', source],
        'table': ['relation', table, "pass a table of time_weight_table, state_agg_table or "
            ~ "heartbeat_agg_table: ref(…)", {'has': 'agg_count'}],
        'late': ['relation', late, "pass a table of time_weight_late, state_agg_late or "
            ~ "heartbeat_agg_late: ref(…)", {'has': 'late_reason'}],
        'arrival': ['column', arrival],
        'quarantine': strandline._quarantine_argument(quarantine),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set tables = [{'name': table.identifier, 'relation': table | string, 'is_kept': true}] -%}
    {{- strandline._ledger_body(table.identifier, source, arrival, tables, late, quarantine,
        {'corrects': false}) -}}
{% endmacro %}

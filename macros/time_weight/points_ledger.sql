{#- The body of the ledger of a table of points: where the points of its source have gone, one row
    for each run that read some. See _macros.yml. -#}
{% macro points_ledger(source, table, late, arrival='arrival', quarantine=none) %}
    {%- set who = 'points_ledger' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'source': [source, "pass a relation: ref('signal') or source('plant', 'signal')"],
        'table': [table, "pass the table of the points' summaries, as ref('signal_hours')"],
        'late': [late, "pass the table of the points that do not count, as ref('signal_late')"],
    }, ['arrival', 'quarantine']) -%}
    {%- do strandline._check_ledger(who, source, [
        ['table', table, 'agg_count',
            'a table of time_weight_table, state_agg_table or heartbeat_agg_table'],
        ['late', late, 'late_reason',
            'a table of time_weight_late, state_agg_late or heartbeat_agg_late']],
        arrival, quarantine) -%}
    {%- set tables = [{'name': table.identifier, 'relation': table | string, 'is_kept': true}] -%}
    {{- strandline._ledger_body(table.identifier, source, arrival, tables, late, quarantine,
        {'corrects': false}) -}}
{% endmacro %}

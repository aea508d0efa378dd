{#- The body of the ledger of an engine of `detect`: where the events of its source have gone, one
    row for each run that read some. See _macros.yml. -#}
{% macro detection_ledger(source, status, late, arrival='arrival', quarantine=none) %}
    {%- set read = strandline._arguments(strandline._caller('detection_ledger'), kwargs, varargs, {
        'source': ['relation', source],
        'status': ['relation', status, 'pass the model of detection_status: ref(…)',
            {'has': 'last_arrival'}],
        'late': ['relation', late, 'pass the model of detection_late: ref(…)',
            {'has': 'late_reason'}],
        'arrival': ['column', arrival],
        'quarantine': ['relation', quarantine, strandline._quarantine_form(), {'optional': true}],
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {#- An engine counts the events that it has read, late ones too. -#}
    {%- set counted = '(select last_arrival as agg_arrival, rows - (select count(*) from ' ~ late
        ~ ') as agg_count from ' ~ status ~ ')' -%}
    {#- It has not written all late ones if a run was killed between its two commits. -#}
    {%- set written = 'select last_arrival from ' ~ status ~ ' where last_late is null or '
        ~ 'last_late <= (select max(' ~ strandline._quoted(arrival) ~ ') from ' ~ late ~ ')' -%}
    {%- set tables = [{'name': status.identifier, 'relation': counted, 'is_kept': true}] -%}
    {{- strandline._ledger_body(status.identifier, source, arrival, tables, late, quarantine,
        {'late_arrival': written, 'rebuild': '1+' ~ status.identifier ~ '+'}) -}}
{% endmacro %}

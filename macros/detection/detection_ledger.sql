{#- The body of the ledger of an engine of `detect`: where the events of its source have gone, one
    row for each run that read some. See _macros.yml. -#}
{% macro detection_ledger(source, status, late, arrival='arrival', quarantine=none) %}
    {%- set who = 'detection_ledger' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'source': [source, "pass a relation: ref('signal') or source('plant', 'signal')"],
        'status': [status, "pass the model of detection_status, as ref('sensor_status')"],
        'late': [late, "pass the model of detection_late, as ref('sensor_late')"],
    }, ['arrival', 'quarantine']) -%}
    {%- do strandline._check_ledger(who, source, [
        ['status', status, 'last_arrival', 'the model of detection_status'],
        ['late', late, 'late_reason', 'the model of detection_late']], arrival, quarantine) -%}
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

{#- The body of a view of the events that an engine of `detect` did not evaluate. See
    _macros.yml. -#}
{% macro detection_late(source, name) %}
    {%- set read = strandline._arguments(strandline._caller('detection_late'), kwargs, varargs,
        strandline._detection_table_arguments(source, name)) -%}
select *
from {{ strandline._detection_table(read, '_late') }}
{% endmacro %}

{#- The body of a view of the state of an engine of `detect`: one row. See _macros.yml. -#}
{% macro detection_status(source, name) %}
    {%- set read = strandline._arguments(strandline._caller('detection_status'), kwargs, varargs,
        strandline._detection_table_arguments(source, name)) -%}
select *
from {{ strandline._detection_table(read, '_status') }}
{% endmacro %}

{#- The arguments of both, for `_arguments`. -#}
{% macro _detection_table_arguments(source, name) %}
    {{- return({
        'source': ['relation', source,
            'pass the model that calls detect: ref(…)', {'unread': true}],
        'name': ['name', name, "write the `name` of its detect(...), such as 'flight_delays'"],
    }) -}}
{% endmacro %}

{#- A table that an engine keeps beside its model. Fails if the model exists and has no engine of
    this name. -#}
{% macro _detection_table(read, ending) %}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set source = read.source -%}
    {%- set table = api.Relation.create(
        database=source.database, schema=source.schema, identifier=read.name ~ ending) -%}
    {#- dbt's cache has no table of this run: it did not make it. -#}
    {%- if execute and load_cached_relation(source) and not load_cached_relation(table)
        and not strandline._types_of(table) -%}
        {%- do strandline._refuse(read.who,
            ["there is no engine '" ~ read.name ~ "' beside " ~ source.identifier
            ~ ", because " ~ table ~ " does not exist; write the `name` of its detect(...)"]) -%}
    {%- endif -%}
    {{- return(table) -}}
{% endmacro %}

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
        'quarantine': strandline._quarantine_argument(quarantine),
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

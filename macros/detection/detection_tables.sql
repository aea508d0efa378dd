{#- The body of a view of the events that an engine of `detect` did not evaluate. See
    _macros.yml. -#}
{% macro detection_late(source, name) %}
    {%- do strandline._check_call('detection_late', kwargs, varargs, {
        'source': [source, "pass the model that calls detect: ref('flight_detections')"],
        'name': [name, "write the `name` of its detect(...), such as 'flight_delays'"],
    }) -%}
select *
from {{ strandline._detection_table('detection_late', source, name, '_late') }}
{% endmacro %}

{#- The body of a view of the state of an engine of `detect`: one row. See _macros.yml. -#}
{% macro detection_status(source, name) %}
    {%- do strandline._check_call('detection_status', kwargs, varargs, {
        'source': [source, "pass the model that calls detect: ref('flight_detections')"],
        'name': [name, "write the `name` of its detect(...), such as 'flight_delays'"],
    }) -%}
select *
from {{ strandline._detection_table('detection_status', source, name, '_status') }}
{% endmacro %}

{#- A table that an engine keeps beside its model. Fails if the model exists and has no engine of
    this name. -#}
{% macro _detection_table(who, source, name, ending) %}
    {%- set faults = [] -%}
    {%- set is_text = source is string or source is none -%}
    {%- if is_text -%}
        {%- do faults.append("`source` is '" ~ source ~ "'; write ref('"
            ~ (source or 'flight_detections')
            ~ "'), the model that calls detect") -%}
    {%- endif -%}
    {%- if not strandline._is_identifier(name) -%}
        {%- do faults.append("`name` is '" ~ name
            ~ "'; write the `name` of its detect(...), such as 'flight_delays'") -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    {%- set table = api.Relation.create(
        database=source.database, schema=source.schema, identifier=name ~ ending) -%}
    {#- dbt's cache has no table of this run: it did not make it. -#}
    {%- if execute and load_cached_relation(source) and not load_cached_relation(table)
        and not strandline._types_of(table) -%}
        {%- do strandline._refuse(who,
            ["there is no engine '" ~ name ~ "' beside " ~ source.identifier
            ~ ", because " ~ table ~ " does not exist; write the `name` of its detect(...)"]) -%}
    {%- endif -%}
    {{- return(table) -}}
{% endmacro %}

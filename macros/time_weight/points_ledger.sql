{#- The body of the ledger of a table of points: where the points of its source have gone, one row
    for each run that read some. See _macros.yml. -#}
{% macro points_ledger(source, table, late, arrival='arrival', quarantine=none) %}
    {%- set who = 'points_ledger' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'source': [source, "pass a relation: ref('signal') or source('plant', 'signal')"],
        'table': [table, "pass the table of the points' summaries, as ref('signal_hours')"],
        'late': [late, "pass the table of the points that do not count, as ref('signal_late')"],
    }, ['arrival', 'quarantine']) -%}
    {%- set faults = [] -%}
    {%- for name, relation in [['source', source], ['table', table], ['late', late]]
        if relation is string -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ relation ~ "'; pass a relation: ref('"
            ~ relation ~ "')") -%}
    {%- endfor -%}
    {%- if not strandline._is_identifier(arrival) -%}
        {%- do faults.append("`arrival` is '" ~ arrival ~ "'; write the name of a column") -%}
    {%- endif -%}
    {%- do strandline._check_quarantine(quarantine, faults) -%}
    {%- if execute and not faults -%}
        {%- do strandline._check_ledger_columns(source, table, late, arrival, faults) -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    {%- set tables = [{'name': table.identifier, 'relation': table | string, 'is_kept': true}] -%}
    {{- strandline._ledger_body(table.identifier, source, arrival, tables, late, quarantine,
        false) -}}
{% endmacro %}

{#- Appends an error for each relation that is not what its argument says. One that does not exist
    yet has no columns, and is not checked. -#}
{% macro _check_ledger_columns(source, table, late, arrival, faults) %}
    {%- set types = strandline._types_of(source) -%}
    {%- if types and arrival | lower not in types -%}
        {%- do faults.append(strandline._no_column('arrival', arrival, source, types)) -%}
    {%- endif -%}
    {%- for argument, relation, column, builders in [
        ['table', table, 'agg_count', 'time_weight_table, state_agg_table or heartbeat_agg_table'],
        ['late', late, 'late_reason', 'time_weight_late, state_agg_late or heartbeat_agg_late']] -%}
        {%- set types = strandline._types_of(relation) -%}
        {%- if types and column not in types -%}
            {%- do faults.append("`" ~ argument ~ "` is " ~ relation.identifier
                ~ ", which has no column " ~ column ~ "; pass a table of " ~ builders) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

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
    {%- do strandline._refuse(who, faults) -%}
    {{- strandline._ledger_body({
        'kind': 'ledger', 'aggregation': table.identifier, 'upstream': source | string,
        'upstream_name': source.identifier, 'arrival': arrival,
    }, source, [{'name': table.identifier, 'relation': table | string, 'is_kept': true}], late,
        quarantine, false) -}}
{% endmacro %}

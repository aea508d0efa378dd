{#- What a call of `aggregation_join` means, checked whole: every fault is named at once, but for
    constants in `within` and `per`, which the macros that read them refuse themselves. -#}
{% macro _join_definition(definition, requests, within, per, select, on) %}
    {%- set who = "aggregation_join of '" ~ definition.name ~ "'" -%}
    {%- set faults = [] -%}
    {%- if requests is not defined or requests is none or requests is string -%}
        {%- do strandline._refuse(who, ["`requests` is " ~ ("'" ~ requests ~ "'" if requests else 'empty')
            ~ "; hand in a relation: ref('requests') or source('shop', 'requests')"]) -%}
    {%- endif -%}

    {#- Without types (while dbt parses, before the relation is built, of an ephemeral model) nothing is checked. -#}
    {%- set types = strandline._types_of(requests) if execute else {} -%}
    {%- set sides = strandline._join_within(within, types, requests, faults) -%}
    {%- set per_column = strandline._request_column(per) -%}
    {%- set items = strandline._join_select(select, definition, faults) -%}
    {%- if on is not none and (on is not string or not strandline._is_balanced(on)) -%}
        {%- do faults.append("`on` is '" ~ on ~ "'; write one SQL condition over a and b, such as 'b.symbol = a.symbol', "
            ~ "or leave it out") -%}
    {%- endif -%}

    {%- set texts = [['on', on or ''], ['per', 'b.' ~ per_column if per_column else '']] -%}
    {%- for item in items -%}{%- do texts.append(['select', item.sql]) -%}{%- endfor -%}
    {%- for column in sides.columns -%}{%- do texts.append(['within', 'b.' ~ column]) -%}{%- endfor -%}
    {%- do strandline._check_join_columns(texts, definition, types, requests, faults) -%}
    {%- do strandline._refuse(who, faults) -%}

    {%- if not sides.columns -%}
        {%- set bounds = strandline._within_bounds(within, who) -%}
        {%- do sides.update({
            'start': {'column': none, 'kind': 'constant', 'millis': bounds[0]},
            'end': {'column': none, 'kind': 'constant', 'millis': bounds[1]},
            'pattern': none,
        }) -%}
    {%- endif -%}
    {%- set durations = definition.durations if per_column
        else [strandline._defined_duration(definition, per, 'aggregation_join').name] -%}
    {{- return({
        'definition': definition, 'requests': requests, 'within': sides, 'per_column': per_column,
        'durations': durations, 'select': items, 'on': on,
    }) -}}
{% endmacro %}

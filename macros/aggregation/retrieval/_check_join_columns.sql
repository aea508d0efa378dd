{#- Adds a fault for each `a.x` that the aggregation does not give and each `b.x` that the requests do
    not have. `texts` are pairs of the argument's name and a piece of SQL. -#}
{% macro _check_join_columns(texts, definition, types, requests, faults) %}
    {%- set present = {'a': strandline._retrieved_columns(definition), 'b': types.keys() | list} -%}
    {%- set owner = {'a': definition.name, 'b': requests.identifier} -%}
    {%- set reference = '(?i)(?<![\\w.`])`?([ab])`?\\s*\\.\\s*`?(\\w+|\\*)' -%}
    {%- for place, text in texts if text is string -%}
        {%- for alias, column in modules.re.findall(reference, strandline._without_quotes(text)) -%}
            {%- set side = alias | lower -%}
            {%- if present[side] and column | lower not in present[side] | map('lower') -%}
                {%- set fault = "`" ~ place ~ "` names '" ~ side ~ "." ~ column ~ "', which is no column of "
                    ~ owner[side] ~ "; it has " ~ strandline._choices(present[side])
                    ~ strandline._nearest(column, present[side]) -%}
                {%- if fault not in faults -%}{%- do faults.append(fault) -%}{%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}

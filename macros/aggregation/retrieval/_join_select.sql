{#- Reads the `select` of a join: each item with its name, its SQL, and whether it speaks of the
    aggregation, in which case a request that could not be answered has null there. -#}
{% macro _join_select(select, definition, faults) %}
    {%- if select is not sequence or select is string or select is mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select ~ "'; write a list such as ['a.symbol', 'a.total', 'b.request_id']") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set own = strandline._retrieved_columns(definition) -%}
    {%- set items = [] -%}
    {%- for text in select | map('string') | map('trim') -%}
        {%- set column = modules.re.match('(?i)^([ab])\\.(\\w+)$', text) -%}
        {%- set named = modules.re.match('(?is)^(.*\\S)\\s+as\\s+([a-z_]\\w*)$', text) -%}
        {%- if column -%}
            {%- set sql, name = text, column.group(2) -%}
        {%- elif text | lower in ['agg_timestamp', 'agg_timezone'] -%}
            {%- set sql, name = 'a.' ~ text | lower, text | lower -%}
        {%- elif named and strandline._is_balanced(named.group(1)) -%}
            {%- set sql, name = named.group(1), named.group(2) -%}
        {%- else -%}
            {%- set sql, name = none, none -%}
            {%- do faults.append("`select` has '" ~ text ~ "'; write a column, such as 'a.total' or 'b.symbol', "
                ~ "or an expression with a name, such as 'a.total * 2 as twice'") -%}
        {%- endif -%}
        {%- if sql -%}
            {%- if name | lower in items | map(attribute='name') | map('lower') | list + ['request_error'] -%}
                {%- do faults.append("`select` names '" ~ name ~ "' twice; give one of them another name, such as '"
                    ~ sql ~ " as other_" ~ name ~ "' (request_error is the last column already)") -%}
            {%- endif -%}
            {%- set speaks_of_a = '(?i)(?<![\\w.`])`?(a`?\\.|(' ~ own | join('|') ~ ')(?![\\w.(]))' -%}
            {%- do items.append({'sql': sql, 'name': name,
                'is_of_a': modules.re.search(speaks_of_a, strandline._without_quotes(sql)) is not none}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(items) -}}
{% endmacro %}

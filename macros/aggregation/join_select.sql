{#- Reads `select` of a join: each item with its name, its SQL, and whether it uses the aggregation;
    if so, it is null for a request that cannot be answered. -#}
{% macro _join_select(select, definition, faults) %}
    {%- if select is not sequence or select is string or select is mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select
            ~ "'; write a list such as ['a.symbol', 'a.total', 'b.request_id']") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set own = [] -%}
    {%- for name in strandline._retrieved_columns(definition) -%}
        {%- do own.append(modules.re.escape(name.replace('`', '``'))) -%}
    {%- endfor -%}
    {%- set items = [] -%}
    {%- for text in select | map('string') | map('trim') -%}
        {%- set column = modules.re.match('(?i)^([ab])\\.(?:(\\w+)|`((?:[^`]|``)+)`)$', text) -%}
        {%- set named = modules.re.match(
            '(?is)^(.*\\S)\\s+as\\s+(?:([a-z_]\\w*)|`((?:[^`]|``)+)`)$', text) -%}
        {%- if column -%}
            {%- set sql = text -%}
            {%- set name = column.group(2) or column.group(3).replace('``', '`') -%}
        {%- elif text | lower in ['agg_timestamp', 'agg_timezone'] -%}
            {%- set sql, name = 'a.' ~ text | lower, text | lower -%}
        {%- elif named and strandline._is_balanced(named.group(1)) -%}
            {%- set sql = named.group(1) -%}
            {%- set name = named.group(2) or named.group(3).replace('``', '`') -%}
        {%- else -%}
            {%- set sql, name = none, none -%}
            {%- do faults.append("`select` has '" ~ text
                ~ "'; write a column, such as 'a.total' or 'b.symbol', or an expression with a "
                ~ "name, such as 'a.total * 2 as twice'") -%}
        {%- endif -%}
        {%- if sql -%}
            {%- if name | lower in items | map(attribute='name') | map('lower') | list
                + ['request_error'] -%}
                {%- do faults.append("`select` names '" ~ name
                    ~ "' twice; give one of them another name, such as '"
                    ~ sql ~ " as other_" ~ name ~ "' (request_error is the last column "
                    ~ "already)") -%}
            {%- endif -%}
            {%- set uses_aggregation = '(?i)(?<![\\w.`])`?(a`?\\.|(' ~ own | join('|')
                ~ ')(?![\\w.(]))' -%}
            {%- do items.append({'sql': sql, 'name': name,
                'uses_aggregation': modules.re.search(uses_aggregation,
                    strandline._without_quotes(sql)) is not none}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(items) -}}
{% endmacro %}

{#- Appends a fault for each `a.x` that is not a column of the aggregation and each `b.x` that is
    not one of the requests. `texts` are pairs of the argument's name and an SQL text. -#}
{% macro _check_join_columns(texts, definition, types, requests, faults) %}
    {%- set columns = {'a': strandline._retrieved_columns(definition), 'b': types.keys() | list} -%}
    {%- set owner = {'a': definition.name, 'b': requests.identifier} -%}
    {%- set reference = '(?i)(?<![\\w.`])`?([ab])`?\\s*\\.\\s*(?:(\\w+|\\*)|`((?:[^`]|``)+)`)' -%}
    {%- for argument, text in texts if text is string -%}
        {%- for alias, plain, quoted in modules.re.findall(reference,
            strandline._without_quotes(text)) -%}
            {%- set side, column = alias | lower, plain or quoted.replace('``', '`') -%}
            {%- if columns[side] and column | lower not in columns[side] | map('lower') -%}
                {%- set fault = "`" ~ argument ~ "` names '" ~ side ~ "." ~ column
                    ~ "', which is not a column of "
                    ~ owner[side] ~ "; it has " ~ strandline._choices(columns[side])
                    ~ strandline._nearest(column, columns[side]) -%}
                {%- if fault not in faults -%}{%- do faults.append(fault) -%}{%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}

{#- The columns of a retrieval: the bucket, the keys, the outputs. -#}
{% macro _retrieved_columns(definition) %}
    {{- return(['agg_timestamp', 'agg_timezone'] + definition['keys']
        + definition.outputs | map(attribute='name') | list) -}}
{% endmacro %}

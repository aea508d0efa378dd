{#- Checks what a definition names: itself, its source, its columns. Gives the group columns. -#}
{% macro _named_columns(name, source, aggregate_by, group_by, arrival, event_id, faults) %}
    {%- if not strandline._is_identifier(name) -%}
        {%- do faults.append("`name` is '" ~ name ~ "'; it begins the names of the tables, so write letters, "
            ~ "digits and underscores, such as 'trade_aggregation'") -%}
    {%- endif -%}
    {%- if source is none or source is string or source is not defined -%}
        {%- do faults.append("`source` is " ~ ("'" ~ source ~ "'" if source else 'empty')
            ~ "; hand in a relation: ref('trades') or source('shop', 'trades')") -%}
    {%- endif -%}
    {%- if group_by is string or group_by is mapping -%}
        {%- do faults.append("`group_by` is '" ~ group_by ~ "'; write a list of columns, such as ['symbol']") -%}
    {%- endif -%}
    {%- set group_by = [] if group_by is string or group_by is mapping else group_by or [] -%}
    {%- for column in [aggregate_by, arrival, event_id] + group_by -%}
        {%- if not strandline._is_identifier(column) and not (loop.index in [1, 3] and column is none) -%}
            {%- do faults.append("'" ~ column ~ "' stands for a column in `aggregate_by`, `arrival`, `event_id` or `group_by`; "
                ~ "write a plain column name (compute expressions in a staging model)") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for column in group_by if strandline._is_identifier(column) and column.startswith('agg_') -%}
        {%- do faults.append("`group_by` names '" ~ column ~ "'; names that begin with agg_ are the tables' own") -%}
    {%- endfor -%}
    {{- return(group_by) -}}
{% endmacro %}

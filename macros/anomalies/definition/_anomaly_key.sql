{#- The key columns in lower case; refuses names that are none, are given twice, or are those of the
    result or its outbox. -#}
{% macro _anomaly_key(key, columns, faults) %}
    {%- if key is string or key is not sequence or not key -%}
        {%- do faults.append("`key` is '" ~ key ~ "'; list the columns that tell anomalies apart, such as ['detector', 'carrier']") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set names = key | map('string') | map('lower') | list -%}
    {%- if names | unique | list | length < names | length -%}
        {%- do faults.append("`key` names a column twice: " ~ strandline._choices(key)) -%}
    {%- endif -%}
    {%- set outbox = ['notification_key', 'kind', 'told_at', 'members', 'unit'] -%}
    {%- set taken = strandline._anomaly_columns(['ends_month'] + outbox) -%}
    {%- for name in names if name in taken -%}
        {%- do faults.append("`key` has the column '" ~ name ~ "', a name that the result or its "
            ~ "outbox has itself; rename it in a staging model") -%}
    {%- endfor -%}
    {%- for name in key if not strandline._is_identifier(name) -%}
        {%- do faults.append("`key` has '" ~ name ~ "', which is no plain column name") -%}
    {%- endfor -%}
    {%- for argument, name in columns.items() -%}
        {%- if not strandline._is_identifier(name) and not (name is none and argument in ['baseline', 'severity', 'labels']) -%}
            {%- do faults.append("`" ~ argument ~ "` is '" ~ name ~ "'; write the name of a column") -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}

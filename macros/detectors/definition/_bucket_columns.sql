{#- The key columns in lower case and the relation's name for messages. Columns are looked up where the relation is one;
    a query in parentheses is left to Spark. -#}
{% macro _bucket_columns(relation, given, faults) %}
    {%- set is_query = relation is string and (relation | trim).startswith('(') -%}
    {%- if relation is undefined or relation is none or (relation is string and not is_query) -%}
        {%- do faults.append("`relation` is '" ~ relation ~ "'; write ref('" ~ (relation or 'flight_days') ~ "'), source(...) or a query in "
            ~ "parentheses, such as strandline.aggregation_within(...) gives") -%}
    {%- endif -%}
    {%- set is_list = given.key is sequence and given.key is not string and given.key is not mapping -%}
    {%- if not is_list -%}
        {%- do faults.append("`key` is '" ~ given.key ~ "'; list the columns that tell series apart, such as ['carrier'], or [] for one series") -%}
    {%- endif -%}
    {%- set key = given.key | map('string') | map('lower') | list if is_list else [] -%}
    {%- if key | unique | list | length < key | length -%}
        {%- do faults.append("`key` names a column twice: " ~ strandline._choices(given.key)) -%}
    {%- endif -%}
    {%- for name in key if name in ['detector', 'starts_at', 'ends_at', 'current_value', 'baseline_value', 'lower_bound', 'upper_bound'] -%}
        {%- do faults.append("`key` has the column '" ~ name ~ "', a name that the result has itself; rename it in a staging model") -%}
    {%- endfor -%}
    {%- set named = [['ts', given.ts], ['value', given.value]] -%}
    {%- for name in key -%}{%- do named.append(['key', name]) -%}{%- endfor -%}
    {%- for argument, name in named if not strandline._is_identifier(name) or (name | lower).startswith('strandline_') -%}
        {%- do faults.append("`" ~ argument ~ "` has '" ~ name ~ "'; write a plain column name that does not begin with strandline_ (compute "
            ~ "expressions in a staging model)") -%}
    {%- endfor -%}
    {%- if execute and not faults and not is_query -%}{%- do strandline._check_buckets(relation, named, faults) -%}{%- endif -%}
    {{- return({'key': key, 'name': 'the query' if is_query else relation.identifier}) -}}
{% endmacro %}

{#- Fails if the model has a contract and a query does not have its columns: the body of a table
    before it is created, or a table before a run adds to it. dbt compares names and types, as it
    does for a table or a view. -#}
{% macro _check_contract(query) %}
    {%- set contract = config.get('contract') -%}
    {%- if not contract or not contract.enforced -%}{{- return(none) -}}{%- endif -%}
    {%- set constraints = model.get('constraints', []) | map(attribute='type') | list -%}
    {%- for column in model.columns.values() -%}
        {%- do constraints.extend(column.get('constraints', []) | map(attribute='type') | list) -%}
    {%- endfor -%}
    {%- if constraints -%}
        {%- do strandline._refuse(model.name, ["its contract has constraints ("
            ~ strandline._choices(constraints | unique) ~ "), which this table would lose at each "
            ~ "rebuild; write a data test instead, such as not_null, and leave names and types in "
            ~ "the contract"]) -%}
    {%- endif -%}
    {%- do get_assert_columns_equivalent(query) -%}
{% endmacro %}

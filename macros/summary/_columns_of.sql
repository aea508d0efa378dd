{#- The names of a relation's columns; of the relation itself, also when `--empty` or `--sample`
    made a query of it. None of them when it does not exist. -#}
{% macro _columns_of(relation) %}
    {%- set itself = api.Relation.create(
        database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
    {{- return(adapter.get_columns_in_relation(itself) | map(attribute='name') | list) -}}
{% endmacro %}

{#- The columns of a relation in lower case, with their types; of the relation itself, also when
    `--empty` or `--sample` made a query of it. None of them when it does not exist. -#}
{% macro _types_of(relation) %}
    {%- set itself = api.Relation.create(
        database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
    {%- set types = {} -%}
    {%- for column in adapter.get_columns_in_relation(itself) -%}
        {%- do types.update({column.name | lower: column.dtype | lower}) -%}
    {%- endfor -%}
    {{- return(types) -}}
{% endmacro %}

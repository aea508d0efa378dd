{#- The types of a relation's columns by lower-case name. Empty where nothing can be looked up: while
    dbt parses, before the relation is built, and for an ephemeral model. -#}
{% macro _column_types(relation) %}
    {%- set types = {} -%}
    {%- if execute -%}
        {%- set itself = api.Relation.create(
            database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
        {%- for column in adapter.get_columns_in_relation(itself) -%}
            {%- do types.update({column.name | lower: column.dtype | lower}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(types) -}}
{% endmacro %}

{#- The table that holds one step of a run. A run that dies leaves it to the next, which replaces it. -#}
{% macro _staging(relation, name) %}
    {{- return(api.Relation.create(database=relation.database, schema=relation.schema, identifier=relation.identifier ~ '__' ~ name)) -}}
{% endmacro %}

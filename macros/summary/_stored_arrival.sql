{#- How far a table has consumed its feed: the greatest arrival in its own rows, as an expression
    ready to compare with; none while the table is empty. Delta answers it from its file
    statistics. -#}
{% macro _stored_arrival(relation, column='agg_arrival') %}
    {%- set greatest = 'max(' ~ column ~ ')' -%}
    {%- set row = run_query("select cast(" ~ greatest ~ " as string), typeof(" ~ greatest ~ ") from " ~ relation).rows[0] -%}
    {{- return(none if row[0] is none else "cast(" ~ strandline._literal(row[0]) ~ " as " ~ row[1] ~ ")") -}}
{% endmacro %}

{#- How far a table has consumed its feed: the greatest arrival in its own rows, as an expression
    ready to compare with; none while the table is empty. Delta answers a bare `max` from the
    statistics of its files, and reads all rows for one inside another expression: so it is asked for
    in a query of its own. -#}
{% macro _stored_arrival(relation, column='agg_arrival') %}
    {%- set greatest = '(select max(' ~ column ~ ') from ' ~ relation ~ ')' -%}
    {%- set row = run_query("select cast(" ~ greatest ~ " as string), typeof(" ~ greatest ~ ")").rows[0] -%}
    {{- return(none if row[0] is none else "cast(" ~ strandline._literal(row[0]) ~ " as " ~ row[1] ~ ")") -}}
{% endmacro %}

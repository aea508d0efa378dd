{#- How far a table has consumed its feed: the greatest arrival in its own rows, as an expression
    ready to compare with; none while the table is empty. Delta answers a bare `max` from the
    statistics of its files, and reads all rows for one inside another expression: the condition keeps
    Spark from making the two queries one. -#}
{% macro _stored_arrival(relation, column='agg_arrival') %}
    {%- set rows = run_query("select " ~ strandline._exact_text('arrival') ~ ", typeof(arrival) from (select max(" ~ column
        ~ ") as arrival from " ~ relation ~ ") where arrival is not null").rows -%}
    {{- return(strandline._typed_literal(rows[0][0], rows[0][1]) if rows else none) -}}
{% endmacro %}

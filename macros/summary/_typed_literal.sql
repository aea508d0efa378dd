{#- A value that a query gave as text and type, as an expression; none for none. -#}
{% macro _typed_literal(text, type) %}
    {{- return(none if text is none else "cast(" ~ strandline._literal(text) ~ " as " ~ type ~ ")") -}}
{% endmacro %}

{#- The fault that an argument names a column which a relation of these columns does not have, and
    the nearest that it has. -#}
{% macro _no_column(argument, column, relation, columns) %}
    {{- return("`" ~ argument ~ "` names the column '" ~ column ~ "', which " ~ relation.identifier ~ " does not have; it has "
        ~ strandline._choices(columns) ~ strandline._nearest(column, columns)) -}}
{% endmacro %}

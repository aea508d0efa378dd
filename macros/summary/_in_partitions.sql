{#- A literal predicate on the partition column, which Delta prunes by. -#}
{% macro _in_partitions(dates) %}
    {{- return("agg_partition in (date'" ~ dates | sort | join("', date'") ~ "')") -}}
{% endmacro %}

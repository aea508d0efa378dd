{#- A literal predicate on the partition column, which Delta prunes by. The Monday of 11 October 1582 is named by its neighbours:
    in Java's calendar it does not exist, and Delta would replace the partition of the 15th in its place. -#}
{% macro _in_partitions(dates) %}
    {%- set listed = dates | reject('equalto', '1582-10-11') | sort -%}
    {%- set conditions = ["agg_partition in (date'" ~ listed | join("', date'") ~ "')"] if listed else [] -%}
    {%- if '1582-10-11' in dates -%}
        {%- do conditions.append("agg_partition > date'1582-10-04' and agg_partition < date'1582-10-18'") -%}
    {%- endif -%}
    {{- return(conditions[0] if conditions | length == 1 else '(' ~ conditions | join(' or ') ~ ')') -}}
{% endmacro %}

{#- A condition that holds where the partitions that a change replaces are exactly as far as the table was presumed to be, and else
    stops the statement. A row that is as far tells that the table had consumed all before it; of the other
    partitions nothing is read, nor of the files' statistics. -#}
{% macro _is_as_far(relation, change) -%}
    (
        select if(max(agg_arrival) <=> {{ change.consumed }}, true, cast(raise_error({{ strandline._literal(change.presumes) }}) as boolean))
        from (select /*+ coalesce(1) */ agg_arrival from {{ relation }} where {{ strandline._in_partitions(change.partitions) }})
    )
{%- endmacro %}

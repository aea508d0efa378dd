{#- One commit that replaces the rows of some partitions, or appends rows; none when another run has
    written since this one asked how far the table is, or where that was presumed and is not so. -#}
{% macro _insert_rows(relation, change) -%}
insert into {{ relation }}
{%- if change.partitions %} replace where {{ strandline._in_partitions(change.partitions) }}{% endif %}
select * from (
{{ change.sql }}
)
where {{ strandline._is_as_far(relation, change) if change.presumes
    else strandline._still(relation, change.consumed, change.column or 'agg_arrival') }}
{%- endmacro %}

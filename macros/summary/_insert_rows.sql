{#- One commit that replaces the rows of some partitions, or appends rows; none when another run has
    written since this one asked how far the table is. -#}
{% macro _insert_rows(relation, change) -%}
insert into {{ relation }}
{%- if change.partitions %} replace where {{ strandline._in_partitions(change.partitions) }}{% endif %}
select * from (
{{ change.sql }}
)
where {{ strandline._still(relation, change.consumed, change.column or 'agg_arrival') }}
{%- endmacro %}

{#- One commit that replaces the rows of some partitions, or appends rows. -#}
{% macro _insert_rows(relation, change) -%}
insert into {{ relation }}
{%- if change.partitions %} replace where {{ strandline._in_partitions(change.partitions) }}{% endif %}
{{ change.sql }}
{%- endmacro %}

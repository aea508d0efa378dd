{#
  dbt-spark returns the raw rows of `describe extended` here, table information included; snapshots
  with `hard_deletes: new_record` and packages want columns.
#}
{% macro strandline__get_columns_in_relation(relation) -%}
  {{ return(adapter.get_columns_in_relation(relation)) }}
{%- endmacro %}

{# dbt's, which knows `strandline_detection` too: `dbt.is_incremental` of a Python model is this. #}
{% macro is_incremental() %}
  {%- if not execute -%}{{- return(false) -}}{%- endif -%}
  {%- set existing = adapter.get_relation(this.database, this.schema, this.table) -%}
  {{- return(existing is not none and existing.type == 'table'
    and model.config.materialized in ('incremental', 'strandline_detection')
    and not should_full_refresh()) -}}
{% endmacro %}

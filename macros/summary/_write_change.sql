{#- Writes a change, and tells dbt what it came to as the model's result; false where nothing is written, because what
    the change presumes does not hold. Properties that speak of the rows are set only when these are there. Partitions
    are replaced by their files, not by a delete of rows and an insert, which is what Delta does by default. -#}
{% macro _write_change(relation, change) %}
    {%- set told = namespace(message='looked, nothing late') -%}
    {%- if change.partitions -%}
        {%- do run_query('set spark.databricks.delta.replaceWhere.dataColumns.enabled = false') -%}
        {%- if change.presumes -%}
            {%- if not adapter.attempt(strandline._insert_rows(relation, change), change.presumes) -%}{{- return(false) -}}{%- endif -%}
        {%- else -%}
            {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- endif -%}
        {%- do run_query('reset spark.databricks.delta.replaceWhere.dataColumns.enabled') -%}
        {%- set told.message = 'rewrote ' ~ change.partitions | length ~ (' partition' if change.partitions | length == 1 else ' partitions')
            ~ ', from ' ~ change.partitions[0] -%}
    {%- elif change.sql -%}
        {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- set told.message = 'added rows' -%}
    {%- elif change.late and not change.properties -%}
        {%- set told.message = 'nothing new' -%}
    {%- endif -%}
    {%- if change.late and change.late.count -%}
        {%- set told.message = told.message ~ '; ' ~ strandline._late_message(change.late) -%}
    {%- endif -%}
    {%- if change.properties -%}{%- do strandline._set_properties(relation, change.properties) -%}{%- endif -%}
    {%- call noop_statement('main', message=told.message) -%}{%- endcall -%}
    {%- if change.late -%}{%- do strandline._warn_if_all_late(relation, change.late) -%}{%- endif -%}
    {{- return(true) -}}
{% endmacro %}

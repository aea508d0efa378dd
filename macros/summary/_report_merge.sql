{#- Gives dbt the merge's own figures as the model's result: how many rows are new, how many updated. -#}
{% macro _report_merge(figures) %}
    {%- set figures = figures.rows[0] -%}
    {%- set message = 'merged: ' ~ figures['num_inserted_rows'] | int ~ ' new, ' ~ figures['num_updated_rows'] | int ~ ' updated' -%}
    {%- call noop_statement('main', message=message, rows_affected=figures['num_affected_rows'] | int) -%}{%- endcall -%}
{% endmacro %}

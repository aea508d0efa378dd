{#- Writes a change in one commit, and tells dbt what it came to as the model's result. -#}
{% macro _write_change(relation, change) %}
    {%- if 'keys' not in change -%}
        {%- call statement('main') -%}
            insert into {{ relation }}
            {{ change.sql }}
        {%- endcall -%}
    {%- else -%}
        {%- set written = run_query(strandline._merge_summary(relation, change)).rows[0] -%}
        {%- set message = 'merged: ' ~ written['num_inserted_rows'] | int ~ ' new, '
            ~ written['num_updated_rows'] | int ~ ' updated' -%}
        {%- call noop_statement('main', message=message, rows_affected=written['num_affected_rows'] | int) -%}{%- endcall -%}
    {%- endif -%}
{% endmacro %}

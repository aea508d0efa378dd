{#- Writes a change, and tells dbt what it came to as the model's result. Properties that speak of the
    rows are set only when these are there: a write that was passed over, because another run has
    written from the same state, leaves them to the next run. -#}
{% macro _write_change(relation, change, properties) %}
    {%- set told = namespace(message='looked, nothing late', is_written=true) -%}
    {%- if change.sql -%}
        {%- set told.is_written = strandline._write_rows(relation, change, properties) -%}
        {%- set told.message = 'rewrote ' ~ change.partitions | length ~ (' partition' if change.partitions | length == 1 else ' partitions')
            ~ ', from ' ~ change.partitions[0] if change.partitions else 'added rows' -%}
    {%- endif -%}
    {%- if change.properties and told.is_written -%}{%- do strandline._set_properties(relation, change.properties) -%}{%- endif -%}
    {%- call noop_statement('main', message=told.message) -%}{%- endcall -%}
{% endmacro %}

{#- Writes a change, and tells dbt what it came to as the model's result. -#}
{% macro _write_change(relation, change, properties) %}
    {%- set message = namespace(text='looked, nothing late') -%}
    {%- if change.sql -%}
        {%- do strandline._write_rows(relation, change, properties) -%}
        {%- set message.text = 'rewrote ' ~ change.partitions | length ~ (' partition' if change.partitions | length == 1 else ' partitions')
            ~ ', from ' ~ change.partitions[0] if change.partitions else 'added rows' -%}
    {%- endif -%}
    {%- if change.properties -%}{%- do strandline._set_properties(relation, change.properties) -%}{%- endif -%}
    {%- call noop_statement('main', message=message.text) -%}{%- endcall -%}
{% endmacro %}

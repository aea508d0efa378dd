{#
  Python models: the adapter runs the model in the session of its connection, and the footer tells
  it where the rows go. `sql` is what a SQL model would run, over the model's rows as a temp view:
  so partition_by, file_format, tblproperties and all other clauses are dbt-spark's own.
#}
{% macro strandline__create_table_as(temporary, relation, compiled_code, language='sql') -%}
  {%- if language != 'python' -%}
    {{- spark__create_table_as(temporary, relation, compiled_code, language) -}}
  {%- elif config.get('submission_method', 'session') != 'session' or target.method not in ('session', 'connect') -%}
    {{- py_write_table(compiled_code=compiled_code, target_relation=relation) -}}
  {%- else -%}
    {%- if temporary -%}
      {%- set plan = {'view': relation.identifier, 'sql': none} -%}
    {%- else -%}
      {%- set view = relation.identifier ~ '__dbt_py' -%}
      {%- set plan = {
            'view': view,
            'sql': spark__create_table_as(false, relation, 'select * from `' ~ view ~ '`', 'sql'),
          } -%}
    {%- endif -%}
    {{ compiled_code }}
# strandline: {{ tojson(plan) }}
  {%- endif -%}
{%- endmacro %}

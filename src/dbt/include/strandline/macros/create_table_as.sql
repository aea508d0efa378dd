{#
  Python models: the adapter runs the model in the session of its connection, and the footer has
  the table for the rows. The statements are what a SQL model would run, over the model's rows as a
  temp view: so partition_by, file_format, tblproperties and all other clauses are dbt-spark's own.
#}
{% macro strandline__create_table_as(temporary, relation, compiled_code, language='sql') -%}
  {%- if language != 'python' -%}
    {{- spark__create_table_as(temporary, relation, compiled_code, language) -}}
  {%- elif not runs_in_session(language) -%}
    {{- py_write_table(compiled_code=compiled_code, target_relation=relation) -}}
  {%- else -%}
    {%- set file_format = config.get('file_format', 'parquet') -%}
    {#- Into a table of `detect` that each run replaces, no run adds: it may have any format. -#}
    {%- set added_to = file_format if model.config.materialized == 'incremental' else none -%}
    {%- if temporary -%}
      {{- python_job(compiled_code, relation.identifier, [], added_to) -}}
    {%- else -%}
      {%- set view = relation.identifier ~ '__dbt_py' -%}
      {%- set create = spark__create_table_as(false, relation, 'select * from `' ~ view ~ '`') -%}
      {{- python_job(compiled_code, view, drops_before(relation, file_format) + [create],
            added_to) -}}
    {%- endif -%}
  {%- endif -%}
{%- endmacro %}

{#- Whether a model is one in Python that runs in the session of its connection. -#}
{% macro runs_in_session(language) %}
  {{- return(language == 'python' and config.get('submission_method', 'session') == 'session'
    and target.method in ('session', 'connect')) -}}
{% endmacro %}

{#- A Python model with the footer that `SessionPythonJob` reads: the temp view of its rows, the
    statements that write them (none: the view stays), the format of a table that runs add to,
    and whether a model without `detect` fails. -#}
{% macro python_job(compiled_code, view, statements, file_format, needs_detect=false) -%}
{{ compiled_code }}
# strandline: {{ tojson({'view': view, 'statements': statements, 'file_format': file_format,
    'needs_detect': needs_detect}) }}
{%- endmacro %}

{#- The statements that remove what a new table of this format cannot replace in one commit. They
    run after the model's function: if that fails, the old table is still there. -#}
{% macro drops_before(relation, file_format) %}
  {%- set existing = load_relation(relation) -%}
  {%- if existing is none or (file_format == 'delta' and existing.is_delta) -%}
    {{- return([]) -}}
  {%- endif -%}
  {%- do adapter.cache_dropped(existing) -%}
  {{- return(['drop ' ~ existing.type ~ ' if exists ' ~ existing]) -}}
{% endmacro %}

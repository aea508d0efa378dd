{# dbt-spark's snapshot, which is skipped while nothing that it reads has changed. #}
{% materialization snapshot, adapter='strandline' %}
  {%- set inputs = {'note': none, 'is_unchanged': false} -%}
  {%- if skips_unchanged(true) -%}
    {%- set inputs = inputs_of_run(model['compiled_code'], load_relation(this) is none) -%}
  {%- endif -%}
  {%- if inputs.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
  {%- set made = materialization_snapshot_spark() -%}
  {%- if inputs.note -%}
    {%- do adapter.note_run(this | string, inputs.note) -%}
  {%- endif -%}
  {{ return(made) }}
{% endmaterialization %}

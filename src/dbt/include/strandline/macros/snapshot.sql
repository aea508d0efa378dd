{# dbt-spark's snapshot, which is skipped while nothing that it reads has changed. #}
{% materialization snapshot, adapter='strandline' %}
  {%- set inputs = inputs_of_run(model['compiled_code'], load_relation(this) is none,
    skips=skips_unchanged(true)) -%}
  {%- if inputs.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
  {%- set made = materialization_snapshot_spark() -%}
  {%- if inputs.note -%}
    {%- do adapter.note_run(this | string, inputs.note) -%}
  {%- endif -%}
  {{ return(made) }}
{% endmaterialization %}

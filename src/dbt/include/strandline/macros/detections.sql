{#
  The table of a Python model that returns `detect(...)`: a Delta table, to which a run adds the
  detections that it does not have. The model is skipped while nothing that it reads has changed.
#}
{% materialization strandline_detection, adapter='strandline', supported_languages=['python'] -%}
  {%- set existing_relation = load_relation(this) -%}
  {%- set is_new = existing_relation is none or existing_relation.is_view or should_full_refresh() -%}
  {%- do check_detections() -%}
  {%- set inputs = inputs_of_run(compiled_code, is_new, skips=skips_unchanged(true)) -%}
  {%- if inputs.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}

  {{ run_hooks(pre_hooks) }}

  {%- if is_new -%}
    {%- call statement('main', language='python') -%}
      {{ create_detections(this, compiled_code) }}
    {%- endcall -%}
    {%- set job = load_result('main').response -%}
  {%- else -%}
    {%- set staged = this.incorporate(path={'identifier': this.identifier ~ '__dbt_tmp'}).include(database=false, schema=false) -%}
    {%- call statement('stage', language='python') -%}
      {{ python_job(compiled_code, staged.identifier, [], 'delta', needs_detect=true) }}
    {%- endcall -%}
    {%- set job = load_result('stage').response -%}
    {%- do insert_detections(staged, this) -%}
  {%- endif -%}

  {% do apply_grants(this, config.get('grants'), should_revoke(existing_relation, should_full_refresh())) %}
  {% do persist_docs(this, model) %}
  {{ run_hooks(post_hooks) }}
  {%- if inputs.note and not job.is_left_to_next_run -%}
    {%- do adapter.note_run(this | string, inputs.note) -%}
  {%- endif -%}

  {{ return({'relations': [this.incorporate(type='table')]}) }}
{%- endmaterialization %}

{#- A Python model whose rows become a new table of detections, in one commit over an old one. -#}
{% macro create_detections(relation, compiled_code) -%}
  {%- set view = relation.identifier ~ '__dbt_py' -%}
  {%- set create -%}
create or replace table {{ relation }}
using delta
{{ tblproperties_clause() }}
{{ partition_cols(label='partitioned by') }}
{{ clustered_cols(label='clustered by') }}
{{ location_clause() }}
{{ comment_clause() }}
as
select * from `{{ view }}`
  {%- endset -%}
  {{- python_job(compiled_code, view, drops_before(relation, 'delta') + [create], 'delta',
        needs_detect=true) -}}
{%- endmacro %}

{#- Fails if the model is none that `strandline_detection` can run. -#}
{% macro check_detections() %}
  {%- set faults = [] -%}
  {%- if config.get('file_format', 'delta') != 'delta' -%}
    {%- do faults.append("`file_format` is '" ~ config.get('file_format') ~ "', and the table of "
        ~ "`detect` can only be a Delta table; write dbt.config(..., file_format='delta'), or "
        ~ "leave it out. What it reads may have any format") -%}
  {%- endif -%}
  {%- if not runs_in_session('python') -%}
    {%- do faults.append("`detect` runs in the session of a target with `method: session` or "
        ~ "`method: connect`, and this one has `method: " ~ target.method ~ "` and "
        ~ "`submission_method: " ~ config.get('submission_method', 'session') ~ "`; on another "
        ~ "platform write dbt.config(materialized='incremental', unique_key='detection_id', "
        ~ "file_format='delta')") -%}
  {%- endif -%}
  {%- if faults -%}
    {%- do exceptions.raise_compiler_error(model.name ~ ":\n  - " ~ faults | join('\n  - ')) -%}
  {%- endif -%}
{% endmacro %}

{#- Writes the detections of a run that the table does not have. `detect` returns some of them
    again if a run has not ended, or if its state was taken back to an older commit. The statement
    reads the table that it writes, so Delta lets only one of two runs at once commit. -#}
{% macro insert_detections(found, relation) %}
  {%- set first = run_query('select min(arrival) from ' ~ found).rows[0][0] -%}
  {%- if first is none -%}
    {%- call noop_statement('main', message='no new detections', rows_affected=0) -%}{%- endcall -%}
  {%- else -%}
    {%- set columns = adapter.get_columns_in_relation(relation) | map(attribute='quoted') | join(', ') -%}
    {#- The literal lets Delta skip files of older detections. -#}
    {%- call statement('main') -%}
      insert into {{ relation }}
      select {{ columns }} from {{ found }} as found
      where not exists (
        select 1 from {{ relation }} as known
        where known.arrival >= {{ first }} and known.detection_id = found.detection_id
      )
    {%- endcall -%}
  {%- endif -%}
{% endmacro %}

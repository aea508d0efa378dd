{#
  dbt-spark's incremental materialization with three differences: the rows of a Python model are
  staged as a temp view of the connection's own session, as those of a SQL model are, and not as
  a table `<alias>__dbt_tmp` that a failed run leaves behind; a model in which `detect` ran writes
  no detection twice; and such a model, or one with `skip_unchanged: true` in its `meta`, is skipped
  while nothing that it reads has changed. The job of a Python model returns which engines ran.
#}
{% materialization incremental, adapter='strandline', supported_languages=['sql', 'python'] -%}
  {%- set language = model['language'] -%}
  {%- set file_format = dbt_spark_validate_get_file_format(config.get('file_format', default='parquet')) -%}
  {%- set strategy = dbt_spark_validate_get_incremental_strategy(config.get('incremental_strategy') or 'append', file_format) -%}
  {%- set unique_key = config.get('unique_key', none) -%}
  {%- set partition_by = config.get('partition_by', none) -%}
  {%- set on_schema_change = incremental_validate_on_schema_change(config.get('on_schema_change'), default='ignore') -%}
  {%- set incremental_predicates = config.get('predicates', none) or config.get('incremental_predicates', none) -%}
  {%- set target_relation = this -%}
  {%- set existing_relation = load_relation(this) -%}
  {%- set is_new = existing_relation is none or existing_relation.is_view or should_full_refresh() -%}
  {%- set inputs = inputs_of_incremental(compiled_code, is_new, strategy) -%}
  {%- if inputs.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
  {%- set tmp_relation = this.incorporate(path={'identifier': this.identifier ~ '__dbt_tmp'}).include(database=false, schema=false) -%}

  {%- if strategy in ['insert_overwrite', 'microbatch'] and partition_by -%}
    {%- call statement() -%}
      set spark.sql.sources.partitionOverwriteMode = DYNAMIC
    {%- endcall -%}
  {%- endif -%}

  {{ run_hooks(pre_hooks) }}

  {%- if is_new -%}
    {#- Delta is replaced in one commit; anything else must go first, in a session after the model's
        function: see `drops_before`. -#}
    {%- if existing_relation is not none and not runs_in_session(language)
        and not (file_format == 'delta' and existing_relation.is_delta) -%}
      {% do adapter.drop_relation(existing_relation) %}
    {%- endif -%}
    {%- call statement('main', language=language) -%}
      {{ create_table_as(False, target_relation, compiled_code, language) }}
    {%- endcall -%}
    {%- set job = load_result('main').response -%}
    {% do persist_constraints(target_relation, model) %}
  {%- else -%}
    {%- call statement('create_tmp_relation', language=language) -%}
      {{ create_table_as(True, tmp_relation, compiled_code, language) }}
    {%- endcall -%}
    {%- set job = load_result('create_tmp_relation').response -%}
    {%- do process_schema_changes(on_schema_change, tmp_relation, existing_relation) -%}
    {%- if strategy == 'append' and job.engines -%}
      {%- do insert_detections(tmp_relation, target_relation) -%}
    {%- else -%}
      {%- call statement('main') -%}
        {{ dbt_spark_get_incremental_sql(strategy, tmp_relation, target_relation, existing_relation, unique_key, incremental_predicates) }}
      {%- endcall -%}
    {%- endif -%}
  {%- endif -%}

  {% do apply_grants(target_relation, config.get('grants'), should_revoke(existing_relation, should_full_refresh())) %}
  {% do persist_docs(target_relation, model) %}
  {{ run_hooks(post_hooks) }}
  {%- if inputs.note and (job.engines or skips_unchanged(false)) and not job.is_left_to_next_run -%}
    {%- do adapter.note_run(this | string, inputs.note) -%}
  {%- endif -%}

  {{ return({'relations': [target_relation]}) }}
{%- endmaterialization %}

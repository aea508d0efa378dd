{#
  dbt-spark's view, with two differences: a view is left if it would be made with the same text, over
  tables whose columns have not changed; and the run remembers its text for the models that read it.
#}
{% materialization view, adapter='strandline' -%}
  {%- set existing = load_cached_relation(this) -%}
  {%- set settings = tojson([model.config, model.description, model.columns], sort_keys=true) -%}
  {#- Taken before the view: if a table gets other columns meanwhile, the next run sees it. -#}
  {%- set note = adapter.view_note(sql, settings) -%}
  {%- set is_left = note and existing is not none and existing.is_view
    and not should_full_refresh() and not pre_hooks and not post_hooks
    and (config.get('meta') or {}).get('skip_unchanged') is not false
    and adapter.is_same_view(existing, note) -%}
  {%- if is_left -%}
    {%- call noop_statement('main', message='unchanged', rows_affected=0) -%}{%- endcall -%}
    {%- set result = {'relations': [existing]} -%}
  {%- else -%}
    {%- set result = create_or_replace_view() -%}
    {%- if note -%}
      {%- do run_query("alter view " ~ this ~ " set tblproperties ('strandline.view' = '" ~ note ~ "')") -%}
    {%- endif -%}
  {%- endif -%}
  {%- do adapter.note_view(this | string, sql) -%}
  {{ return(result) }}
{%- endmaterialization %}

{#- What a run would read, and whether the last run of the model read the same: then it is skipped.
    The newest commits of all tables that the model reads, through views, are looked up in Delta's
    log; with the compiled model, its configuration and `strandline_as_of`, if the model uses it,
    they are the note of a run. The note is written with the model's last commit, so it may be
    behind what was read, never ahead. Without a note (hooks, a backfill range, a table whose log
    cannot be read here, another type of connection) the model runs. -#}
{% macro _inputs(compiled, is_new, uses_clock) %}
    {%- set unknown = {'note': none, 'is_unchanged': false} -%}
    {%- set skips = (config.get('meta') or {}).get('skip_unchanged', true) -%}
    {%- if skips is not boolean -%}
        {%- do strandline._refuse(model.name, ["`skip_unchanged` in `meta` is '" ~ skips
            ~ "'; write false to run the model even if nothing that it reads has changed, or leave "
            ~ "it out"]) -%}
    {%- endif -%}
    {%- if not strandline._in_session() or pre_hooks or post_hooks or not skips
        or strandline._run_setting('strandline_from')
        or strandline._run_setting('strandline_to') -%}
        {{- return(unknown) -}}
    {%- endif -%}
    {%- set names = [] -%}
    {%- for id in model.depends_on.nodes -%}
        {%- do names.append((graph.nodes.get(id) or graph.sources.get(id) or {})
            .get('relation_name')) -%}
    {%- endfor -%}
    {%- if not names or none in names -%}{{- return(unknown) -}}{%- endif -%}
    {%- set inputs = adapter.note_of_inputs(this | string, names, compiled,
        tojson([model.config, strandline._run_setting('strandline_as_of') | string
            if uses_clock else none], sort_keys=true)) -%}
    {{- return({'note': inputs.note, 'is_unchanged': inputs.is_unchanged and not is_new}) -}}
{% endmacro %}

{#- Ends the run of a model that is skipped. -#}
{% macro _report_unchanged() %}
    {%- call noop_statement('main', rows_affected=0,
        message='unchanged: nothing that it reads has changed since it last wrote') -%}
    {%- endcall -%}
    {{- return({'relations': [this.incorporate(type='table')]}) -}}
{% endmacro %}

{#- Writes a note with the commits that follow. -#}
{% macro _begin_note(note) %}
    {%- if note -%}
        {%- do run_query('set spark.databricks.delta.commitInfo.userMetadata = ' ~ note) -%}
    {%- endif -%}
{% endmacro %}

{#- Writes no note any more. -#}
{% macro _end_note(note) %}
    {%- if note -%}
        {%- do run_query('reset spark.databricks.delta.commitInfo.userMetadata') -%}
    {%- endif -%}
{% endmacro %}

{#- What a run would read, and whether the last run of the model read the same: then it is skipped.
    Without a note the model runs, and it has none if `skips` is false. -#}
{% macro inputs_of_run(compiled, is_new, settings=none, skips=true) %}
    {%- set note = note_of_run(compiled, settings) if skips else none -%}
    {{- return({'note': note,
        'is_unchanged': note is not none and adapter.is_last_run(this | string, note, is_new)}) -}}
{% endmacro %}

{#- The note of all that a run would read: the newest commits of the tables that the model or test
    refers to, through views, looked up in Delta's log; the compiled text, the configuration and
    the settings of the run. It is taken before the run reads anything, so it may be behind what
    was read, never ahead. None: with hooks, or if the log of a table cannot be read here. -#}
{% macro note_of_run(compiled, settings=none) %}
    {%- set names = [] -%}
    {%- for id in model.depends_on.nodes -%}
        {%- do names.append((graph.nodes.get(id) or graph.sources.get(id) or {})
            .get('relation_name')) -%}
    {%- endfor -%}
    {%- if pre_hooks or post_hooks or not names or none in names -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(adapter.note_of_inputs(names, compiled,
        tojson([model.config, settings], sort_keys=true))) -}}
{% endmacro %}

{#- The same for an incremental model: one whose last run was one of `detect` may be skipped, any
    other one if it has `skip_unchanged: true` in its `meta`. A Python model has a note in any case:
    it is kept if `detect` ran. Batches of `microbatch` depend on the clock. -#}
{% macro inputs_of_incremental(compiled, is_new, strategy) %}
    {{- return(inputs_of_run(compiled, is_new,
        skips=skips_unchanged(model['language'] == 'python') and strategy != 'microbatch')) -}}
{% endmacro %}

{#- Whether a model may be skipped: `skip_unchanged` in its `meta`, or the default. -#}
{% macro skips_unchanged(default) %}
    {%- set skips = (config.get('meta') or {}).get('skip_unchanged', default) -%}
    {%- if skips is not boolean -%}
        {%- do exceptions.raise_compiler_error(model.name ~ ":\n  - `skip_unchanged` in `meta` is '"
            ~ skips ~ "'; write true to skip the model while nothing that it reads has changed, "
            ~ "false to run it") -%}
    {%- endif -%}
    {{- return(skips and target.method in ('session', 'connect')) -}}
{% endmacro %}

{#- Ends the run of a model that is skipped. -#}
{% macro report_unchanged() %}
    {%- call noop_statement('main', rows_affected=0,
        message='unchanged: nothing that it reads has changed since it last ran') -%}
    {%- endcall -%}
    {{- return({'relations': [this.incorporate(type='table')]}) -}}
{% endmacro %}

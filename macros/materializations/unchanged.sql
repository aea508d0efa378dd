{#- What a run would read, and whether the last run of the model read the same: then it is skipped.
    See `inputs_of_run` of our adapter. Through another adapter every model runs. -#}
{% macro _inputs(compiled, is_new, uses_clock) %}
    {%- set skips = (config.get('meta') or {}).get('skip_unchanged', true) -%}
    {%- if skips is not boolean -%}
        {%- do strandline._refuse(model.name, ["`skip_unchanged` in `meta` is '" ~ skips
            ~ "'; write false to run the model even if nothing that it reads has changed, or leave "
            ~ "it out"]) -%}
    {%- endif -%}
    {%- if not skips or not strandline._in_session() -%}
        {{- return({'note': none, 'is_unchanged': false}) -}}
    {%- endif -%}
    {%- set settings = [] -%}
    {%- for name in ['strandline_from', 'strandline_to'] + (['strandline_as_of'] if uses_clock else
        []) -%}
        {%- do settings.append(strandline._run_setting(name) | string) -%}
    {%- endfor -%}
    {{- return(inputs_of_run(compiled, is_new, settings)) -}}
{% endmacro %}

{#- The task without what may change and leave the stored rows right: where its feed lies (its name
    stays), how long rows are kept, and how far back a run looks for corrections. -#}
{% macro _meaning(task) %}
    {%- set meaning = {} -%}
    {%- for key, value in task.items() if key not in ['feed', 'retention', 'mutability_seconds', 'purged_before'] -%}
        {%- do meaning.update({key: value}) -%}
    {%- endfor -%}
    {{- return(meaning) -}}
{% endmacro %}

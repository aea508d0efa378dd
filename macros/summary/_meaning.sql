{#- The task without what may change and leave the stored rows right: where its feed lies (its name
    stays), what its outputs are called, how long rows are kept, how far back a run looks for
    corrections, and other settings of a run. -#}
{% macro _meaning(task) %}
    {%- set meaning = {} -%}
    {%- for key, value in task.items() if key not in ['feed', 'outputs', 'retention',
        'mutability_seconds', 'purged_before', 'settings'] -%}
        {%- do meaning.update({key: value}) -%}
    {%- endfor -%}
    {{- return(meaning) -}}
{% endmacro %}

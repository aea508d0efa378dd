{#- The task without what may change and leave the stored rows right: where its feed lies, and what
    dbt makes of it in a run with `--empty`. The feed's name stays. -#}
{% macro _meaning(task) %}
    {%- set meaning = {} -%}
    {%- for key, value in task.items() if key != 'feed' -%}
        {%- do meaning.update({key: value}) -%}
    {%- endfor -%}
    {{- return(meaning) -}}
{% endmacro %}

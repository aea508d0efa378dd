{#- The task without what may change and leave the stored rows right: the place of its feed. -#}
{% macro _meaning(task) %}
    {%- set meaning = {} -%}
    {%- for key, value in task.items() -%}
        {%- do meaning.update({key: value.split('.')[-1] if key == 'feed' else value}) -%}
    {%- endfor -%}
    {{- return(meaning) -}}
{% endmacro %}

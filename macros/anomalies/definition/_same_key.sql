{#- The condition that two aliases have the same key; null is a key. -#}
{% macro _same_key(task, one, other) %}
    {%- set equal = [] -%}
    {%- for column in task.key -%}{%- do equal.append(one ~ '.' ~ column ~ ' <=> ' ~ other ~ '.' ~ column) -%}{%- endfor -%}
    {{- return(equal | join(' and ')) -}}
{% endmacro %}

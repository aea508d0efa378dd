{#- The columns that tell signals apart, as a list; adds a fault for what is no list. -#}
{% macro _read_keys(keys, faults) %}
    {%- if keys is string or keys is mapping or keys is not iterable -%}
        {%- do faults.append("`keys` is '" ~ keys ~ "'; write a list of columns, such as ['sensor'], or [] for one signal") -%}
        {{- return([]) -}}
    {%- endif -%}
    {{- return(keys | list) -}}
{% endmacro %}

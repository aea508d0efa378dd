{#- The method that is stored for one that was written; adds a fault for an unknown one. -#}
{% macro _read_method(method, faults) %}
    {%- set known = strandline._methods() -%}
    {%- if method | string | lower not in known -%}
        {%- do faults.append("`method` is '" ~ method ~ "'; write one of " ~ strandline._choices(known)) -%}
    {%- endif -%}
    {{- return(known.get(method | string | lower)) -}}
{% endmacro %}

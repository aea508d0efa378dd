{#- All properties of a Delta table. -#}
{% macro _properties_of(relation) %}
    {%- set properties = {} -%}
    {%- for row in run_query('show tblproperties ' ~ relation).rows -%}
        {%- do properties.update({row[0]: row[1]}) -%}
    {%- endfor -%}
    {{- return(properties) -}}
{% endmacro %}

{#- Sets properties of a table, in a commit of their own. -#}
{% macro _set_properties(relation, properties) %}
    {%- set pairs = [] -%}
    {%- for name, value in properties.items() -%}
        {%- do pairs.append(strandline._quoted_literal(name) ~ ' = ' ~ strandline._quoted_literal(value)) -%}
    {%- endfor -%}
    {%- do run_query('alter table ' ~ relation ~ ' set tblproperties (' ~ pairs | join(', ') ~ ')') -%}
{% endmacro %}

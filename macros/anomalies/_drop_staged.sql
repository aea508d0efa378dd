{#- Lets go of what `_staged` holds. -#}
{% macro _drop_staged(relation) %}
    {%- for name in ['changes', 'regrouped', 'judged'] -%}
        {%- do run_query('drop view if exists `' ~ relation.schema ~ '__' ~ relation.identifier ~ '__' ~ name ~ '`') -%}
    {%- endfor -%}
{% endmacro %}

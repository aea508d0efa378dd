{#- Drops the tables of a run's steps. -#}
{% macro _drop_staged(relation) %}
    {%- for name in ['judged', 'regrouped', 'told', 'changes'] -%}
        {%- do run_query('drop table if exists ' ~ strandline._staging(relation, name)) -%}
    {%- endfor -%}
{% endmacro %}

{#- Drops the tables of a run's steps; what stands in the session goes with it. -#}
{% macro _drop_staged(relation) %}
    {%- for name in ['judged', 'regrouped', 'told', 'changes'] if not strandline._in_session() -%}
        {%- do run_query('drop table if exists ' ~ strandline._staging(relation, name)) -%}
    {%- endfor -%}
{% endmacro %}

{#- Keeps a fact for the models after this one in the same run. Without an adapter of ours there is nowhere to keep it. -#}
{% macro _note(name, fact) %}
    {%- if adapter.type() == 'strandline' -%}{%- do adapter.note(name, fact) -%}{%- endif -%}
{% endmacro %}

{#- The columns of a relation in lower case, with their types; of the relation itself, also when
    `--empty` or `--sample` made a query of it. None of them when it does not exist. A run asks
    once: what reads a relation comes after what makes it. -#}
{% macro _types_of(relation) %}
    {%- set itself = api.Relation.create(
        database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
    {%- set known = strandline._noted('types of ' ~ itself) -%}
    {%- if known is not none -%}{{- return(known) -}}{%- endif -%}
    {%- set types = {} -%}
    {%- for column in adapter.get_columns_in_relation(itself) -%}
        {%- do types.update({column.name | lower: column.dtype | lower}) -%}
    {%- endfor -%}
    {%- if types -%}{%- do strandline._note('types of ' ~ itself, types) -%}{%- endif -%}
    {{- return(types) -}}
{% endmacro %}

{#- Whether a type is a number; so is that of a bare null, which is any. -#}
{% macro _is_number(type) %}
    {%- set numbers = '(tinyint|smallint|int|bigint|float|double|decimal|void)\\b' -%}
    {{- return(modules.re.match(numbers, type) is not none) -}}
{% endmacro %}

{#- Keeps a fact for the models after this one in the same run. Without an adapter of ours there is nowhere to keep it. -#}
{% macro _note(name, fact) %}
    {%- if adapter.type() == 'strandline' -%}{%- do adapter.note(name, fact) -%}{%- endif -%}
{% endmacro %}

{#- What a model of this run has noted under a name; none when none has, or could. -#}
{% macro _noted(name) %}
    {{- return(adapter.noted(name) if adapter.type() == 'strandline' else none) -}}
{% endmacro %}

{#- The timeline of a summary; a compact one, which has none, stops the query. -#}
{% macro _timeline(summary, who) -%}
    if({{ summary }} is not null and ({{ summary }}).timeline is null,
        raise_error({{ strandline._literal(who ~ ": the summary is compact and has no timeline; build it with form='full'") }}), ({{ summary }}).timeline)
{%- endmacro %}

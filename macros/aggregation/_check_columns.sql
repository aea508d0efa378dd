{#- Refuses a definition that names columns which its source does not have. Arguments that are
    expressions are left to Spark, which names the column and its neighbours itself; so is a source
    that does not exist (yet): it has no columns to compare with. -#}
{% macro _check_columns(definition, source) %}
    {%- set present = strandline._columns_of(source) | map('lower') | list -%}
    {%- if not present -%}{{- return(none) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set named = [['aggregate_by', definition.aggregate_by], ['arrival', definition.arrival]] -%}
    {%- for column in definition.group_by -%}{%- do named.append(['group_by', column]) -%}{%- endfor -%}
    {%- for part in definition.parts if strandline._is_identifier(part.argument) -%}
        {%- do named.append(['select', part.argument]) -%}
    {%- endfor -%}
    {%- for place, column in named if column | lower not in present -%}
        {%- do faults.append("`" ~ place ~ "` names the column '" ~ column ~ "', which " ~ source.identifier
            ~ " does not have; it has " ~ strandline._choices(present)) -%}
    {%- endfor -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults | unique | list) -%}
{% endmacro %}

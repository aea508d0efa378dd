{#- The columns of a coarser table's feed as a select list. Of the finest table the points of a time weight become their
    summary, once a row. -#}
{% macro _fed_columns(task) %}
    {%- set points = task.parts | selectattr('kind', 'equalto', 'time_weight') | list if task.feed_is_finest else [] -%}
    {%- if not points -%}{{- return('*') -}}{%- endif -%}
    {%- set items = ['* except (' ~ points | map(attribute='column') | join(', ') ~ ')'] -%}
    {%- for part in points -%}
        {%- do items.append(strandline._folded_points(part.column, part.method, part.gap) ~ ' as ' ~ part.column) -%}
    {%- endfor -%}
    {{- return(items | join(',\n    ')) -}}
{% endmacro %}

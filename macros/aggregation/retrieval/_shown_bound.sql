{#- One side of `within` as a fault shows it: the column and its value, or the constant. The value of a
    timestamp is left out, because its text would follow the session's zone. -#}
{% macro _shown_bound(side) %}
    {%- if side.kind == 'constant' -%}{{- return(strandline._literal(side.millis)) -}}{%- endif -%}
    {%- if side.kind in ['timestamp', 'unknown'] -%}{{- return(strandline._literal(side.column)) -}}{%- endif -%}
    {{- return(strandline._literal(side.column ~ " '") ~ ", cast(b." ~ side.column ~ " as string), char(39)") -}}
{% endmacro %}

{#- When a table was last written, to the millisecond: two answers tell whether anything was committed between them,
    without reading its rows. -#}
{% macro _last_commit(relation) %}
    {%- set detail = run_query('describe detail ' ~ relation) -%}
    {{- return(detail.rows[0]['lastModified'] | string) -}}
{% endmacro %}

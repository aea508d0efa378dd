{#- All columns of an anomaly as a select list: some given as expressions, the others taken from an alias. -#}
{% macro _anomaly_row(task, source, given={}) %}
    {%- set columns = [] -%}
    {%- for column in strandline._anomaly_columns(task.key) -%}
        {%- do columns.append(given[column] ~ ' as ' ~ column if column in given else source ~ '.' ~ column) -%}
    {%- endfor -%}
    {{- return(columns | join(', ')) -}}
{% endmacro %}

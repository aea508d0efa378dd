{#- Whether dbt's connection is a Spark session of its own, which can keep the rows of a query. -#}
{% macro _in_session() %}
    {{- return(adapter.type() == 'strandline' and target.method in ['session', 'connect']) -}}
{% endmacro %}

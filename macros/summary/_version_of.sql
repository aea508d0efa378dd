{#- The newest version of a Delta table. -#}
{% macro _version_of(relation) %}
    {{- return(run_query('describe history ' ~ relation ~ ' limit 1').rows[0][0] | int) -}}
{% endmacro %}

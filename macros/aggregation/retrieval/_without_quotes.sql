{#- SQL with the content of its quoted texts left out, so that only names and operators remain. -#}
{% macro _without_quotes(sql) %}
    {{- return(modules.re.sub("'[^']*'|\"[^\"]*\"", "''", sql)) -}}
{% endmacro %}

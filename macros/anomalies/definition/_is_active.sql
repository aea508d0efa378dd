{#- The condition that an anomaly holds and is shown: it was found, and no label tells to ignore it. What is ignored or outdated
    keeps its row, and is neither merged nor told. -#}
{% macro _is_active(status) %}
    {{- return(status ~ " not in ('outdated', 'ignored')") -}}
{% endmacro %}

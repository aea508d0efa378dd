{#- What a table of anomalies knows of itself beside its task. -#}
{% macro _anomalies_properties(task) %}
    {{- return({}) -}}
{% endmacro %}

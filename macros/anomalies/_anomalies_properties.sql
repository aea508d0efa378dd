{#- What a new table of anomalies knows of itself beside its task: how far scheduled runs have analysed. -#}
{% macro _anomalies_properties(task) %}
    {{- return({} if task.settings.mark is none else {'strandline.mark': strandline._micros_text(task.settings.mark)}) -}}
{% endmacro %}

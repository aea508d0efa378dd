{#- What a new table of anomalies knows of itself beside its task: a name for this build of it, and how far scheduled runs have
    analysed. Statistics are kept of the
    columns by which runs find rows. -#}
{% macro _anomalies_properties(task) %}
    {%- set properties = {'strandline.build': invocation_id, 'delta.dataSkippingStatsColumns': 'starts_at,ends_at'} -%}
    {%- if task.settings.mark is not none -%}{%- do properties.update({'strandline.mark': strandline._micros_text(task.settings.mark)}) -%}{%- endif -%}
    {{- return(properties) -}}
{% endmacro %}

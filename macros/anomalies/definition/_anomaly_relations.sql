{#- The relations of detections as a list. Text is refused, because dbt could not see the dependency. -#}
{% macro _anomaly_relations(detections, feedback, faults) %}
    {%- set given = [detections] if detections is string or detections is mapping or detections is not sequence else detections | list -%}
    {%- if not given -%}
        {%- do faults.append("`detections` is empty; list one relation or more, such as [ref('flight_detections')]") -%}
    {%- endif -%}
    {%- for relation in given if relation is string or relation is none -%}
        {%- do faults.append("`detections` has '" ~ relation ~ "'; write ref('" ~ relation ~ "') or source(...), so that dbt sees "
            ~ "what the model depends on") -%}
    {%- endfor -%}
    {%- if feedback is string -%}
        {%- do faults.append("`feedback` is '" ~ feedback ~ "'; write ref('" ~ feedback ~ "') or source(...), a relation with anomaly_id") -%}
    {%- endif -%}
    {{- return(given) -}}
{% endmacro %}

{#- The identity of the parent that is named after an incident. -#}
{% macro _parent_id(incident) %}
    {{- return("sha2(concat('parent of ', " ~ incident ~ "), 256)") -}}
{% endmacro %}

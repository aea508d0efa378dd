{#- The columns that retrieval gives: the bucket, the group columns, the outputs. -#}
{% macro _retrieved_columns(definition) %}
    {{- return(['agg_timestamp', 'agg_timezone'] + definition.group_by
        + definition.outputs | map(attribute='name') | list) -}}
{% endmacro %}

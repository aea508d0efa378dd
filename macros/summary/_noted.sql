{#- What a model of this run has noted under a name; none when none has, or could. -#}
{% macro _noted(name) %}
    {{- return(adapter.noted(name) if adapter.type() == 'strandline' else none) -}}
{% endmacro %}

{#- A list of names for a message: `a, b, c`. -#}
{% macro _choices(names) %}
    {{- return(names | map('string') | join(', ')) -}}
{% endmacro %}

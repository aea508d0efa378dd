{#- Whether a value is a plain SQL name: a letter or underscore, then letters, digits, underscores. -#}
{% macro _is_identifier(value) %}
    {{- return(value is string and modules.re.match('^[A-Za-z_][A-Za-z0-9_]*$', value) is not none) -}}
{% endmacro %}

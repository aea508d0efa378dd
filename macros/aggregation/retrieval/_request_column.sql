{#- The column that `b.<column>` names; none for anything else, which is a constant then. -#}
{% macro _request_column(value) %}
    {%- set read = modules.re.match('^\\s*[bB]\\.([A-Za-z_]\\w*)\\s*$', value | string) -%}
    {{- return(read.group(1) if read and value is string else none) -}}
{% endmacro %}

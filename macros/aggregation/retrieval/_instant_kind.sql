{#- How a column of a type says an instant: as `text`, `millis` or `timestamp`; `unknown` where the type
    could not be looked up, none where the type says no instant. A timestamp without a zone says none. -#}
{% macro _instant_kind(type) %}
    {%- if not type -%}{{- return('unknown') -}}{%- endif -%}
    {%- if modules.re.match('(string|varchar|char)\\b', type) -%}{{- return('text') -}}{%- endif -%}
    {{- return({'bigint': 'millis', 'int': 'millis', 'timestamp': 'timestamp'}.get(type)) -}}
{% endmacro %}

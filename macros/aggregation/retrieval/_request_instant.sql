{#- The instant that one side of `within` says for a request, as a TIMESTAMP; null where it says none.
    `text` is the column's value as text. -#}
{% macro _request_instant(side, text) -%}
    {%- if side.kind == 'constant' -%}
timestamp_millis({{ side.millis }})
    {%- elif side.kind == 'timestamp' -%}
b.{{ side.column }}
    {%- elif side.kind == 'millis' -%}
{{ strandline._millis_instant('b.' ~ side.column) }}
    {%- elif side.kind == 'text' -%}
{{ strandline._text_instant(text) }}
    {%- else -%}
if(typeof(b.{{ side.column }}) = 'timestamp', try_cast(b.{{ side.column }} as timestamp), {{ strandline._text_instant(text) }})
    {%- endif -%}
{%- endmacro %}

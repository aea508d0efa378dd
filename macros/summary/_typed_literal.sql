{#- A value that a query gave by `_exact_text`, with its type, as an expression; none for none. -#}
{% macro _typed_literal(text, type) %}
    {%- if text is none -%}{{- return(none) -}}{%- endif -%}
    {%- if type == 'binary' -%}{{- return("X'" ~ text[1:] ~ "'") -}}{%- endif -%}
    {%- if not modules.re.match('string|varchar|char', type) -%}
        {{- return('cast(' ~ strandline._literal(text) ~ ' as ' ~ type ~ ')') -}}
    {%- endif -%}
    {%- set literal = "cast(X'" ~ text[1:] ~ "' as string)" -%}
    {{- return(literal if type == 'string' else 'cast(' ~ literal ~ ' as ' ~ type ~ ')') -}}
{% endmacro %}

{#- The text, as SQL, from which `_typed_literal` makes the same value again. Bytes and strings are told as their bytes: dbt reads
    the texts '' and 'null' as null. A time is told in UTC: by a clock that goes back, one text would mean two instants. -#}
{% macro _exact_text(value) -%}
case
            when typeof({{ value }}) = 'timestamp' then get_json_object(to_json(struct({{ value }} as value),
                map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timeZone', 'UTC')), '$.value')
            when typeof({{ value }}) rlike '^(binary|string|varchar|char)' then concat('x', hex(cast({{ value }} as string)))
            else cast({{ value }} as string)
        end
{%- endmacro %}

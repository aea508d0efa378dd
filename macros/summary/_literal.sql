{#- A value as a constant text, wherever SQL takes an expression, and under any setting of the session: Spark puts the value of
    a variable for `${env:HOME}` within quotes too, and whether a backslash escapes a quote is a setting. So no literal holds
    a `${`, a quote or a backslash. Spark folds the text into one literal, so that files are skipped by it. -#}
{% macro _literal(value) %}
    {%- set pieces = [] -%}
    {%- for piece in modules.re.split("(['\\\\]|\\$(?=[{]))", value | string) if piece -%}
        {%- do pieces.append({"'": 'char(39)', '\\': 'char(92)'}.get(piece, "'" ~ piece ~ "'")) -%}
    {%- endfor -%}
    {%- if pieces | length > 1 -%}{{- return('concat(' ~ pieces | join(', ') ~ ')') -}}{%- endif -%}
    {{- return(pieces[0] if pieces else "''") -}}
{% endmacro %}

{#- A value as one quoted literal, for the properties and the comment of a table, where SQL takes no expression. It holds no `${`
    either; its escapes are those of Spark's default settings. -#}
{% macro _quoted_literal(value) %}
    {{- return("'" ~ (value | string).replace('\\', '\\\\').replace("'", "\\'").replace('${', '\\u0024{') ~ "'") -}}
{% endmacro %}

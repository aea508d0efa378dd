{#- The columns of a relation in lower case, with their types; of the relation itself, also when
    `--empty` or `--sample` made a query of it. None of them when it does not exist. -#}
{% macro _types_of(relation) %}
    {%- set itself = api.Relation.create(
        database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
    {%- set types = {} -%}
    {%- for column in adapter.get_columns_in_relation(itself) -%}
        {%- do types.update({column.name | lower: column.dtype | lower}) -%}
    {%- endfor -%}
    {{- return(types) -}}
{% endmacro %}

{#- Whether a type is a number; so is that of a bare null, which is any. -#}
{% macro _is_number(type) %}
    {%- set numbers = '(tinyint|smallint|int|bigint|float|double|decimal|void)\\b' -%}
    {{- return(modules.re.match(numbers, type) is not none) -}}
{% endmacro %}

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

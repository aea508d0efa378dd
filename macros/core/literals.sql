{#- The columns of a relation in lower case, with their types. `--empty` and `--sample` wrap a
    relation in a query; this reads the relation itself. Empty if it does not exist. -#}
{% macro _types_of(relation) %}
    {%- set itself = api.Relation.create(
        database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
    {%- set types = {} -%}
    {%- for column in adapter.get_columns_in_relation(itself) -%}
        {%- do types.update({column.name | lower: column.dtype | lower}) -%}
    {%- endfor -%}
    {{- return(types) -}}
{% endmacro %}

{#- Whether a type is a number. The type of a bare null (void) counts as one. -#}
{% macro _is_number(type) %}
    {%- set numbers = '(tinyint|smallint|int|bigint|float|double|decimal|void)\\b' -%}
    {{- return(modules.re.match(numbers, type) is not none) -}}
{% endmacro %}

{#- A value as a constant text expression that is independent of session settings. Spark substitutes
    `${env:HOME}` inside quotes too, and a setting decides whether a backslash escapes a quote.
    Therefore no literal contains a `${`, a quote or a backslash. Spark folds the expression into
    one literal, by which files are skipped. -#}
{% macro _literal(value) %}
    {%- set pieces = [] -%}
    {%- for piece in modules.re.split("(['\\\\]|\\$(?=[{]))", value | string) if piece -%}
        {%- do pieces.append({"'": 'char(39)', '\\': 'char(92)'}.get(piece, "'" ~ piece ~ "'")) -%}
    {%- endfor -%}
    {%- if pieces | length > 1 -%}{{- return('concat(' ~ pieces | join(', ') ~ ')') -}}{%- endif -%}
    {{- return(pieces[0] if pieces else "''") -}}
{% endmacro %}

{#- The name of a column or an alias, quoted: any name is allowed, a keyword or one with blanks,
    dots or backticks, too. Spark would replace `${…}` by the value of a variable, even in it. -#}
{% macro _quoted(name) %}
    {%- if '${' in name | string -%}
        {%- do strandline._refuse('a column', ["'" ~ name ~ "' cannot be the name of a column: "
            ~ "Spark would replace the variable in it; rename it in a staging model"]) -%}
    {%- endif -%}
    {{- return('`' ~ (name | string).replace('`', '``') ~ '`') -}}
{% endmacro %}

{#- Names of columns, each quoted, as a list. -#}
{% macro _all_quoted(names) %}
    {%- set quoted = [] -%}
    {%- for name in names -%}{%- do quoted.append(strandline._quoted(name)) -%}{%- endfor -%}
    {{- return(quoted) -}}
{% endmacro %}

{#- Whether columns of two relations are equal, null to null; true without columns. -#}
{% macro _same_columns(names, one, other) %}
    {%- set equal = [] -%}
    {%- for column in strandline._all_quoted(names) -%}
        {%- do equal.append(one ~ '.' ~ column ~ ' <=> ' ~ other ~ '.' ~ column) -%}
    {%- endfor -%}
    {{- return(equal | join(' and ') or 'true') -}}
{% endmacro %}

{#- A value as one quoted literal, for the properties and the comment of a table, where SQL accepts
    no expression. It contains no `${` either; the escapes are those of Spark's default
    settings. -#}
{% macro _quoted_literal(value) %}
    {%- set escaped = (value | string).replace('\\', '\\\\').replace("'", "\\'") -%}
    {{- return("'" ~ escaped.replace('${', '\\u0024{') ~ "'") -}}
{% endmacro %}

{#- A value that a query returned through `_exact_text`, with its type, as an expression; none for
    none. -#}
{% macro _typed_literal(text, type) %}
    {%- if text is none -%}{{- return(none) -}}{%- endif -%}
    {%- if type == 'binary' -%}{{- return("X'" ~ text[1:] ~ "'") -}}{%- endif -%}
    {%- if not modules.re.match('string|varchar|char', type) -%}
        {{- return('cast(' ~ strandline._literal(text) ~ ' as ' ~ type ~ ')') -}}
    {%- endif -%}
    {%- set literal = "cast(X'" ~ text[1:] ~ "' as string)" -%}
    {{- return(literal if type == 'string' else 'cast(' ~ literal ~ ' as ' ~ type ~ ')') -}}
{% endmacro %}

{#- The text, as SQL, from which `_typed_literal` restores the same value. Binary and string values
    are encoded as hexadecimal bytes, because dbt reads the texts '' and 'null' as null. A timestamp
    is written in UTC, because a local time that occurs twice is ambiguous. -#}
{% macro _exact_text(value) -%}
case
            when typeof({{ value }}) = 'timestamp'
                then get_json_object(to_json(struct({{ value }} as value), map(
                    'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timeZone', 'UTC')),
                    '$.value')
            when typeof({{ value }}) rlike '^(binary|string|varchar|char)'
                then concat('x', hex(cast({{ value }} as string)))
            else cast({{ value }} as string)
        end
{%- endmacro %}

{#- The identity of a row: a hash of values, so that every run computes the same one. Nulls differ
    from the text 'null'. -#}
{% macro _row_id(values) %}
    {%- set texts = [] -%}
    {%- for value in values -%}
        {%- do texts.append('cast(' ~ value ~ ' as string)') -%}
    {%- endfor -%}
    {{- return('sha2(to_json(array(' ~ texts | join(', ') ~ ')), 256)') -}}
{% endmacro %}

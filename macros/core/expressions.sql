{#- Whether all parentheses of an expression are balanced, ignoring quoted text. It also
    distinguishes `sum(a)` from `sum(a) / sum(b)`, whose inside `a) / sum(b` is not balanced. -#}
{% macro _is_balanced(expression) %}
    {%- set plain = modules.re.sub("'[^']*'|`[^`]*`", "''", expression) -%}
    {%- set state = namespace(depth=0, lowest=0) -%}
    {%- for character in plain if character in '()' -%}
        {%- set state.depth = state.depth + (1 if character == '(' else -1) -%}
        {%- set state.lowest = [state.lowest, state.depth] | min -%}
    {%- endfor -%}
    {{- return(state.depth == 0 and state.lowest == 0 and ';' not in plain) -}}
{% endmacro %}

{#- SQL without its quoted texts: only names, quoted ones too, and operators remain. -#}
{% macro _without_quotes(sql) %}
    {{- return(modules.re.sub("(`[^`]*`)|'[^']*'|\"[^\"]*\"", '\\1 ', sql)) -}}
{% endmacro %}

{#- Spark's type or error for each expression over a source: {expression: {type, error}}. With an
    adapter that cannot return the error, the run fails with Spark's message. -#}
{% macro _expression_types(expressions, source) %}
    {%- set found = strandline._described(expressions, source) -%}
    {%- set types = {} -%}
    {%- for expression in expressions -%}
        {%- set alone = strandline._described([expression], source) if found.error else found -%}
        {%- set place = 0 if found.error else loop.index0 -%}
        {%- do types.update({expression: {'type': none, 'error': alone.error} if alone.error
            else {'type': alone.types[place] | lower, 'error': none}}) -%}
    {%- endfor -%}
    {{- return(types) -}}
{% endmacro %}

{% macro _described(expressions, source) %}
    {%- set items = [] -%}
    {%- for expression in expressions -%}
        {%- do items.append('(' ~ expression ~ '\n) as strandline_' ~ loop.index) -%}
    {%- endfor -%}
    {%- set query = 'describe query select ' ~ items | join(', ') ~ ' from ' ~ source -%}
    {%- if adapter.type() == 'strandline' -%}
        {{- return(adapter.describe_query(query)) -}}
    {%- endif -%}
    {{- return({'types': run_query(query).columns[1].values() | list, 'error': none}) -}}
{% endmacro %}

{#- The end of the message for an expression that Spark rejected: the missing column, or Spark's
    message. -#}
{% macro _expression_fault(error, source, columns) %}
    {%- set unknown = modules.re.search('with name `([^`]+)` cannot be resolved', error) -%}
    {%- if unknown -%}
        {{- return(", and " ~ source.identifier ~ " has no column '" ~ unknown.group(1)
            ~ "'; it has " ~ strandline._choices(columns)
            ~ strandline._nearest(unknown.group(1), columns)) -}}
    {%- endif -%}
    {%- set reason = modules.re.sub('(?s)\\s*SQLSTATE: \\w{5}.*', '', error) | trim -%}
    {{- return(", which Spark rejects: " ~ reason) -}}
{% endmacro %}

{#- The end of the message for an expression of a wrong type; empty if it fits. -#}
{% macro _type_fault(type, wanted) %}
    {%- if wanted is none or type == 'void' or type == wanted
        or (wanted == 'number' and strandline._is_number(type)) -%}
        {{- return('') -}}
    {%- endif -%}
    {{- return(', which is ' ~ type | upper ~ '; ' ~ {'boolean': 'write a condition',
        'timestamp': 'make it a TIMESTAMP', 'number': 'it needs a number'}[wanted]) -}}
{% endmacro %}

{#- Appends a fault for each expression over the rows of a query that Spark rejects, or whose type
    does not fit. `expressions` are [place, text, type]: how the message begins, and boolean,
    timestamp, number or none (any). Spark analyses them in a condition, in which it accepts neither
    an aggregate nor a window function; all in one query, and one after the other if it fails.
    `source` and `columns` are for messages. -#}
{% macro _check_row_expressions(expressions, query, source, columns, faults) %}
    {%- set texts, conditions = expressions | map(attribute=1) | unique(true) | list, [] -%}
    {%- for text in texts -%}
        {%- do conditions.append('((' ~ text ~ '\n) is not null)') -%}
    {%- endfor -%}
    {%- set types = strandline._expression_types(texts, query ~ ' where '
        ~ conditions | join(' and ')) if texts else {} -%}
    {%- for place, text, wanted in expressions -%}
        {%- set found = types[text] if not types[text].error else strandline._expression_types(
            [text], query ~ ' where (' ~ text ~ '\n) is not null')[text] -%}
        {%- set fault = strandline._expression_fault(found.error, source, columns) if found.error
            else strandline._type_fault(found.type, wanted) -%}
        {%- if fault -%}
            {%- do faults.append(place ~ " '" ~ strandline._shown_expression(text) ~ "'" ~ fault)
                -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- An expression in a message: a quoted plain name without its quotes. -#}
{% macro _shown_expression(text) %}
    {{- return(text.strip('`') if strandline._is_identifier(text.strip('`')) else text) -}}
{% endmacro %}

{#- What to write as `not_after`, for messages. -#}
{% macro _bound_form() %}
    {{- return("write one SQL expression over the columns of the source, such as 'received_at + "
        ~ "interval 1 hour'") -}}
{% endmacro %}

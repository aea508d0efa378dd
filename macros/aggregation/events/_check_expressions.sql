{#- Refuses expressions in `select` that Spark does not take, or of types that cannot do their part:
    before the table is built, each with its own text, and not within the whole query. Spark only
    analyses them. -#}
{% macro _check_expressions(definition, task) %}
    {%- set columns = strandline._types_of(definition.source) -%}
    {%- set outputs = [] -%}
    {%- for output in definition.outputs if output.argument != '*'
        and not strandline._is_identifier(output.argument) -%}
        {%- do outputs.append(output) -%}
    {%- endfor -%}
    {%- if not columns or not outputs -%}{{- return(none) -}}{%- endif -%}
    {%- set source, faults = '(' ~ strandline._timed_events(task) ~ ')', [] -%}
    {%- set arguments = outputs | map(attribute='argument') | unique | list -%}
    {%- set types = strandline._expression_types(arguments, source) -%}
    {%- for output in outputs if types[output.argument].error -%}
        {%- do faults.append("`select` has " ~ output.name ~ " = '" ~ output.text ~ "'"
            ~ strandline._expression_fault(types[output.argument].error, definition.source,
                columns)) -%}
    {%- endfor -%}
    {%- set known = {} -%}
    {%- for argument, found in types.items() if found.type -%}
        {%- do known.update({argument: found.type}) -%}
    {%- endfor -%}
    {%- do strandline._check_numbers(definition, known, faults) -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults) -%}
{% endmacro %}

{#- What Spark makes of each expression over a source: {expression: {type, error}}. An adapter that
    cannot tell stops with Spark's own error. -#}
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

{#- What follows the mention of an expression that Spark refused: the column that is not there, or
    Spark's own sentence. -#}
{% macro _expression_fault(error, source, columns) %}
    {%- set unknown = modules.re.search('with name `([^`]+)` cannot be resolved', error) -%}
    {%- if unknown -%}
        {{- return(", and " ~ source.identifier ~ " has no column '" ~ unknown.group(1)
            ~ "'; it has " ~ strandline._choices(columns)
            ~ strandline._nearest(unknown.group(1), columns)) -}}
    {%- endif -%}
    {%- set told = modules.re.sub('(?s)\\s*SQLSTATE: \\w{5}.*', '', error) | trim -%}
    {{- return(", which Spark does not take: " ~ told) -}}
{% endmacro %}

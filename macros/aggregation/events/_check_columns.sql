{#- The columns of an aggregation's source and their types; refuses a definition that names others,
    or columns of types that cannot do their part. Arguments that are expressions are checked when
    the table is built (`_check_expressions`). A source that does not exist (yet) has no columns to
    compare with. -#}
{% macro _check_columns(definition) %}
    {%- set source = definition.source -%}
    {%- set types = strandline._types_of(source) -%}
    {%- if not types -%}{{- return(types) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set named = [['aggregate_by', definition.aggregate_by], ['arrival', definition.arrival], ['event_id', definition.event_id]] -%}
    {%- for column in definition.group_by -%}{%- do named.append(['group_by', column]) -%}{%- endfor -%}
    {%- for part in definition.parts if strandline._is_identifier(part.argument) -%}
        {%- do named.append(['select', part.argument]) -%}
    {%- endfor -%}
    {%- for place, column in named if column is not none and column | lower not in types -%}
        {%- do faults.append(strandline._no_column(place, column, source, types)) -%}
    {%- endfor -%}

    {%- set own = types | select('in', ['agg_event_time', 'agg_event_zone', 'agg_event_arrival', 'agg_event_bucket', 'late_reason']) | list -%}
    {%- if own -%}
        {%- do faults.append(source.identifier ~ " has the columns " ~ strandline._choices(own)
            ~ ", whose names Strandline keeps for itself; rename them in a staging model") -%}
    {%- endif -%}
    {%- set arrival_type = types.get(definition.arrival | lower) -%}
    {%- for place, column in [['arrival', definition.arrival], ['event_id', definition.event_id]] if column is not none -%}
        {%- do faults.extend(strandline._order_faults(place, column, types.get(column | lower))) -%}
    {%- endfor -%}
    {%- if definition.buffer and arrival_type not in [none, 'tinyint', 'smallint', 'int', 'bigint', 'timestamp'] -%}
        {%- do faults.append("`buffer_size` goes by the order of `arrival`, and " ~ definition.arrival ~ " is "
            ~ arrival_type ~ "; make it a whole number or a TIMESTAMP") -%}
    {%- endif -%}
    {%- do strandline._check_numbers(definition, types, faults) -%}
    {%- if not faults -%}{%- do strandline._time_kind(definition, types, faults) -%}{%- endif -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults | unique | list) -%}
    {{- return(types) -}}
{% endmacro %}

{#- What is wrong with the type of a column by which events are told apart or put in order; none when it is not known. Runs keep
    its values as literals. NaN lies above every number, so that nothing would arrive after it; a BOOLEAN never grows. -#}
{% macro _order_faults(place, column, type) %}
    {%- set comparable = 'tinyint|smallint|int|bigint|decimal|date|timestamp|string|varchar|char|binary' ~ ('|float|double|boolean' if place == 'event_id' else '') -%}
    {%- if type is none or modules.re.match('(' ~ comparable ~ ')(?![a-z])', type) -%}{{- return([]) -}}{%- endif -%}
    {{- return(["`" ~ place ~ "` names " ~ column ~ ", which is " ~ type ~ "; take a whole number, a DECIMAL, a STRING, a BINARY, a DATE or a TIMESTAMP"
        ~ (", or cast it to one in a staging model" if place == 'arrival' else "; in a staging model, to_json(" ~ column ~ ") makes a STRING of it")]) -}}
{% endmacro %}

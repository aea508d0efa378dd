{#- The columns of an aggregation's source and their types; refuses a definition that names others,
    or columns of types that cannot do their part. Arguments that are expressions are left to
    Spark, which names the column and its neighbours itself; so is a source that does not exist
    (yet): it has no columns to compare with. -#}
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
    {%- if definition.buffer and arrival_type not in [none, 'tinyint', 'smallint', 'int', 'bigint', 'timestamp'] -%}
        {%- do faults.append("`buffer_size` goes by the order of `arrival`, and " ~ definition.arrival ~ " is "
            ~ arrival_type ~ "; make it a whole number or a TIMESTAMP") -%}
    {%- endif -%}
    {%- if not faults -%}{%- do strandline._time_kind(definition, types, faults) -%}{%- endif -%}
    {%- do strandline._refuse("aggregation '" ~ definition.name ~ "'", faults | unique | list) -%}
    {{- return(types) -}}
{% endmacro %}

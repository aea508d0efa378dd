{#- Refuses columns that a relation of buckets does not have, and types that cannot do their part. A relation that does not
    exist (yet) has no columns to compare with. -#}
{% macro _check_buckets(relation, named, faults) %}
    {%- set types = strandline._types_of(relation) -%}
    {%- for argument, column in named if types -%}
        {%- set type = types.get(column | lower) -%}
        {%- if type is none -%}
            {%- do faults.append(strandline._no_column(argument, column, relation, types)) -%}
        {%- elif argument == 'ts' and type != 'timestamp' -%}
            {%- do faults.append("`ts` names " ~ column ~ " of " ~ relation.identifier ~ ", which is " ~ type ~ "; take a TIMESTAMP, the instant at "
                ~ "which a bucket begins, such as agg_timestamp of an aggregation") -%}
        {%- elif argument == 'value' and not modules.re.match('(tinyint|smallint|int|bigint|float|double|decimal)\\b', type) -%}
            {%- do faults.append("`value` names " ~ column ~ " of " ~ relation.identifier ~ ", which is " ~ type ~ "; take a number") -%}
        {%- elif argument == 'key' and 'map<' in type -%}
            {%- do faults.append("`key` names " ~ column ~ " of " ~ relation.identifier ~ ", which is " ~ type
                ~ "; Spark does not compare maps: make it an array, a struct or a text") -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

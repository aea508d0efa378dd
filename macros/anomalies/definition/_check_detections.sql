{#- Refuses columns that the detections do not have, and types that cannot do their part. A relation that does not
    exist (yet) has no columns to compare with. -#}
{% macro _check_detections(detections, key, columns) %}
    {%- set faults = [] -%}
    {%- set named = [] -%}
    {%- for column in key -%}{%- do named.append(['key', column]) -%}{%- endfor -%}
    {%- for argument, column in columns.items() if column is not none -%}{%- do named.append([argument, column | lower]) -%}{%- endfor -%}
    {%- for relation in detections -%}
        {%- set types = strandline._types_of(relation) -%}
        {%- for argument, column in named if types -%}
            {%- set type = types.get(column) -%}
            {%- if type is none -%}
                {%- do faults.append(strandline._no_column(argument, column, relation, types) ~ strandline._nearest(column, types)) -%}
            {%- elif argument in ['start', 'end'] and type != 'timestamp' -%}
                {%- do faults.append("`" ~ argument ~ "` names " ~ column ~ " of " ~ relation.identifier ~ ", which is " ~ type
                    ~ "; take a TIMESTAMP (cast it in a staging model)") -%}
            {%- elif argument in ['key', 'labels'] and 'map<' in type -%}
                {%- do faults.append("`" ~ argument ~ "` names " ~ column ~ " of " ~ relation.identifier ~ ", which is " ~ type
                    ~ "; Spark does not compare maps: make it an array, a struct or a text") -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do strandline._refuse('anomalies', faults | unique | list) -%}
{% endmacro %}

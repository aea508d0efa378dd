{#- In which form the events carry their time: timestamp, millis, text, or arrival when they carry
    none. Adds a fault for a column that is none of these. -#}
{% macro _time_kind(definition, types, faults=none) %}
    {%- set column = definition.aggregate_by or definition.arrival -%}
    {%- set type = types.get(column | lower, 'timestamp') -%}
    {%- if type == 'timestamp' -%}{{- return('timestamp' if definition.aggregate_by else 'arrival') -}}{%- endif -%}
    {%- if not definition.aggregate_by -%}
        {%- if faults is not none -%}
            {%- do faults.append("`aggregate_by` is none, so that events go by the time of their arrival, and "
                ~ column ~ " is " ~ type ~ "; take a TIMESTAMP as `arrival`, or name the events' time in `aggregate_by`") -%}
        {%- endif -%}
        {{- return('arrival') -}}
    {%- endif -%}
    {%- if type == 'bigint' -%}{{- return('millis') -}}{%- endif -%}
    {%- if type == 'string' or type.startswith('varchar') or type.startswith('char') -%}{{- return('text') -}}{%- endif -%}
    {%- if faults is not none -%}
        {%- do faults.append("`aggregate_by` names " ~ column ~ ", which is " ~ type ~ "; take a TIMESTAMP, a BIGINT of "
            ~ "Unix milliseconds or a STRING 'yyyy-MM-dd HH:mm:ss[ +HH:MM]' (cast it in a staging model)") -%}
    {%- endif -%}
    {{- return('timestamp') -}}
{% endmacro %}

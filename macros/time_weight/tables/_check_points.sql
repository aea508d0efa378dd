{#- Refuses columns that the source of points does not have, and a value that is no number. A source
    that does not exist (yet) has no columns to compare with. -#}
{% macro _check_points(task, source, who) %}
    {%- set types = strandline._types_of(source) -%}
    {%- set named = [['ts', task.ts], ['arrival', task.arrival]] -%}
    {%- if task.value -%}
        {%- do named.append(['value' if task.summary == 'time_weight' else 'state', task.value]) -%}
    {%- endif -%}
    {%- for key in task['keys'] -%}{%- do named.append(['keys', key]) -%}{%- endfor -%}
    {%- set faults = [] -%}
    {%- for argument, column in named if types -%}
        {%- set type = types.get(column | lower) -%}
        {%- if type is none -%}
            {%- do faults.append(strandline._no_column(argument, column, source, types)) -%}
        {%- elif argument == 'value' and not strandline._is_number(type) -%}
            {%- do faults.append("`value` names " ~ column ~ " of " ~ source.identifier
                ~ ", which is " ~ type | upper
                ~ "; take a number" ~ (", such as int(" ~ column ~ ") of a staging model"
                    if type == 'boolean')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do strandline._refuse(who, faults) -%}
{% endmacro %}

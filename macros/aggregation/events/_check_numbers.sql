{#- Adds a fault for each output whose aggregate needs a number and whose argument is of another
    type. Spark would cast a text, and what is no number would be null. `types` has the type of an
    argument, where it is known. -#}
{% macro _check_numbers(definition, types, faults) %}
    {%- for output in definition.outputs if output.function in strandline._number_aggregates() -%}
        {%- set type = types.get(output.argument, types.get(output.argument | lower, 'void')) -%}
        {%- set is_length = type.startswith('interval') and output.function in ['avg', 'sum'] -%}
        {%- if not strandline._is_number(type) and not is_length -%}
            {%- set instead = 'int(' ~ output.argument ~ ') in its place, which is 1 or 0'
                if type == 'boolean'
                else 'cast(' ~ output.argument ~ ' as double) in its place, or another number' -%}
            {%- do faults.append("`select` has " ~ output.name ~ " = '" ~ output.text ~ "', and "
                ~ output.argument ~ " is " ~ type | upper ~ "; " ~ output.function
                ~ " takes a number: write " ~ instead) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{% macro _number_aggregates() %}
    {{- return(['avg', 'sum', 'variance', 'stddev', 'var_pop', 'stddev_pop', 'quantile',
        'time_weight']) -}}
{% endmacro %}

{#- Whether a type is a number; so is that of a bare null, which is any. -#}
{% macro _is_number(type) %}
    {%- set numbers = '(tinyint|smallint|int|bigint|float|double|decimal|void)\\b' -%}
    {{- return(modules.re.match(numbers, type) is not none) -}}
{% endmacro %}

{#- Refuses what is no definition of an aggregation: a name that is not defined, a macro that is not
    called. -#}
{% macro _check_definition(definition, who) %}
    {%- set write = "; hand in what the macro of your aggregation returns, such as "
        ~ "trade_aggregation()" -%}
    {%- if definition is not defined -%}
        {%- do strandline._refuse(who, ["`definition` is missing or undefined" ~ write]) -%}
    {%- elif definition is not mapping and definition is callable -%}
        {%- do strandline._refuse(who, ["`definition` is a macro that is not called; write its "
            ~ "parentheses, such as trade_aggregation()"]) -%}
    {%- elif definition is not mapping or 'parts' not in definition
        or 'durations' not in definition -%}
        {%- do strandline._refuse(who, ["`definition` is " ~ ("'" ~ definition ~ "'"
            if definition is string or definition is none
            or definition is number else 'no definition of an aggregation') ~ write]) -%}
    {%- endif -%}
{% endmacro %}

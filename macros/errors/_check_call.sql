{#- Refuses a call of a public macro whose arguments are unknown, missing or given by place, in
    place of Jinja's TypeError. A macro that mentions `kwargs` and `varargs` takes any argument, and
    hands these two in. `required` is {name: [value, what to write]}, `optional` are the names of
    the others. -#}
{% macro _check_call(who, unknown, surplus, required, optional=[]) %}
    {%- set faults, known = [], required | list + optional -%}
    {%- for name in unknown -%}
        {%- do faults.append("there is no argument `" ~ name ~ "`"
            ~ strandline._nearest(name, known, '`')) -%}
    {%- endfor -%}
    {%- for value in surplus -%}
        {%- do faults.append("'" ~ value ~ "' is one argument too many; name each, such as "
            ~ known[0] ~ "=…") -%}
    {%- endfor -%}
    {%- for name, given in required.items() if given[0] is not defined -%}
        {%- do faults.append("`" ~ name ~ "` is missing or undefined; " ~ given[1]) -%}
    {%- endfor -%}
    {%- if unknown -%}
        {%- do faults.append("its arguments are " ~ strandline._choices(known)) -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
{% endmacro %}

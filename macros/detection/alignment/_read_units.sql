{#- A duration in units of a precision: a whole number of them as it is, or a text such as '3 ms'; adds a fault for
    what is none. `name` is what the fault calls it. -#}
{% macro _read_units(value, name, precision, faults) %}
    {%- set units = value if value is integer else none -%}
    {%- set fault = none -%}
    {%- if value is not integer -%}
        {%- set read = modules.re.match('^\\s*([0-9]{1,19})\\s*([A-Za-z]+)\\s*$', value if value is string else '') -%}
        {%- set unit = strandline._alignment_unit(read.group(2)) if read else none -%}
        {%- if not read -%}
            {%- set fault = "; write a whole number of units of the precision, or one with its unit: '6 ms'" -%}
        {%- elif unit is none -%}
            {%- set known = strandline._alignment_units() | map(attribute='name') | list -%}
            {%- set fault = ": its unit must be one of " ~ strandline._choices(known)
                ~ strandline._nearest(read.group(2), known) -%}
        {%- elif unit.kind != precision.kind -%}
            {%- set fault = ", but the precision is " ~ precision.name ~ ": " ~ ("write months"
                if precision.kind == 'calendar' else "a month has no fixed length; write days") -%}
        {%- elif read.group(1) | int * unit.length % precision.length -%}
            {%- set fault = ", which is no whole number of " ~ precision.name ~ ", the precision" -%}
        {%- else -%}
            {%- set units = read.group(1) | int * unit.length // precision.length -%}
        {%- endif -%}
    {%- endif -%}
    {%- if units is not none and (units < 1 or units > 9223372036854775807) -%}
        {%- set fault = "; it must be 1 or more, and no more than a bigint holds" -%}
    {%- endif -%}
    {%- if fault -%}
        {%- do faults.append("`" ~ name ~ "` is " ~ ("'" ~ value ~ "'" if value is string else value) ~ fault) -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(units) -}}
{% endmacro %}

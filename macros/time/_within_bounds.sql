{#- Reads `within`: a pair of instants (text with an optional offset, or Unix milliseconds), or one
    pattern such as '2018-01-** **:**:**'. Returns [start, end) in Unix milliseconds. -#}
{% macro _within_bounds(within, who) %}
    {%- set forms = "write a pair ['2014-02-15 00:00:00 +05:30', '2014-03-16 00:00:00 +05:30'], a pair of Unix "
        ~ "milliseconds, or one pattern such as '2018-01-** **:**:**' (the zone may be left out and is GMT then)" -%}
    {%- set given = "`within` is " ~ (within | string if within is not string else "'" ~ within ~ "'") -%}
    {%- if within is string -%}
        {%- set bounds = strandline._pattern_bounds(within) -%}
    {%- elif within is sequence and within is not mapping and within | length == 2 -%}
        {%- set bounds = [strandline._instant_millis(within[0]), strandline._instant_millis(within[1])] -%}
    {%- else -%}
        {%- set bounds = none -%}
    {%- endif -%}

    {%- if not bounds or none in bounds -%}
        {%- do strandline._refuse(who, [given ~ "; " ~ forms]) -%}
    {%- endif -%}
    {%- if bounds[0] >= bounds[1] -%}
        {%- do strandline._refuse(who, [given ~ ", which ends before it begins; the first must be earlier than the second"]) -%}
    {%- endif -%}
    {{- return(bounds) -}}
{% endmacro %}

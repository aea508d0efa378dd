{#- The length of a bucket: a number of months, of days by the zone's calendar, or of microseconds. These units stay apart,
    because none of them has a fixed length in another. -#}
{% macro _granularity(text, faults) %}
    {%- set period = strandline._iso_period(text) -%}
    {%- set units = [] -%}
    {%- for unit, length in (period or {}).items() if length -%}{%- do units.append(unit) -%}{%- endfor -%}
    {%- if units | length != 1 -%}
        {%- do faults.append("`granularity` is '" ~ text ~ "'; write how long a bucket is as an ISO 8601 duration of one kind: years and months "
            ~ "('P1M'), weeks and days ('P1D') or hours, minutes and seconds ('PT15M')") -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({'text': text, 'unit': units[0], 'step': period[units[0]]}) -}}
{% endmacro %}

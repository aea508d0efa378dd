{#- The mutability period in seconds, from an ISO 8601 duration of weeks, days, hours, minutes and
    seconds; none without one. Months and years have no fixed length and are refused. -#}
{% macro _mutability(period, buffer_size, faults) %}
    {%- if period is none -%}{{- return(none) -}}{%- endif -%}
    {%- set form = '^P(?=.)(?:(\\d+)W)?(?:(\\d+)D)?(?:T(?=\\d)(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?)?$' -%}
    {%- set read = modules.re.match(form, period | string) -%}
    {%- set seconds = namespace(total=0) -%}
    {%- if read -%}
        {%- for number in read.groups() -%}
            {%- set seconds.total = seconds.total + (number or 0) | int * [604800, 86400, 3600, 60, 1][loop.index0] -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if seconds.total == 0 -%}
        {%- do faults.append("`mutability_period` is '" ~ period ~ "'; write an ISO 8601 duration of weeks, days, hours, "
            ~ "minutes or seconds, such as 'P3D' or 'PT12H'") -%}
    {%- endif -%}
    {%- if buffer_size is not none -%}
        {%- do faults.append("`mutability_period` and `buffer_size` exclude each other: a buffer goes by the order in which "
            ~ "events arrived, and a source that changes does not keep it; drop one of them") -%}
    {%- endif -%}
    {{- return(seconds.total) -}}
{% endmacro %}

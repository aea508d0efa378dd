{#- The mutability period in seconds, from an ISO 8601 duration of weeks, days, hours, minutes and
    seconds; none without one. Months and years have no fixed length and are refused. -#}
{% macro _mutability(period, buffer_size, faults) %}
    {%- if period is none -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = strandline._iso_micros(period) -%}
    {%- if not micros -%}
        {%- do faults.append("`mutability_period` is '" ~ period ~ "'; write an ISO 8601 duration of weeks, days, hours, "
            ~ "minutes or seconds, such as 'P3D' or 'PT12H'") -%}
    {%- endif -%}
    {%- if buffer_size is not none -%}
        {%- do faults.append("`mutability_period` and `buffer_size` exclude each other: a buffer goes by the order in which "
            ~ "events arrived, and a source that changes does not keep it; drop one of them") -%}
    {%- endif -%}
    {{- return((micros or 0) // 1000000) -}}
{% endmacro %}

{#- The var `strandline_as_of` in Unix microseconds, or none; refuses what is no time. -#}
{% macro _as_of() %}
    {%- set given = var('strandline_as_of', none) -%}
    {%- if given is none -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = strandline._instant_micros(given) -%}
    {%- if micros is none -%}
        {%- do strandline._refuse('anomalies', ["the var strandline_as_of is '" ~ given ~ "'; write yyyy-MM-dd HH:mm:ss[.ffffff] (UTC), with "
            ~ "an offset such as +01:00 if it is another zone's"]) -%}
    {%- endif -%}
    {{- return(micros) -}}
{% endmacro %}

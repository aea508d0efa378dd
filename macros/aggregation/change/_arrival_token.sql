{#- A number that two runs share when they start from the same state, and that grows with it; none
    where the arrival is neither a whole number nor an instant. Written with the commit, it lets
    Delta pass over a second run's write instead of counting its events twice. -#}
{% macro _arrival_token(consumed) %}
    {%- if consumed is none -%}{{- return(0) -}}{%- endif -%}
    {%- set read = modules.re.match("^cast\\('(-?\\d+)' as (tinyint|smallint|int|bigint)\\)$", consumed) -%}
    {%- if read -%}{{- return(read.group(1) | int + 1) -}}{%- endif -%}
    {%- set read = modules.re.match("^cast\\('(.*)' as timestamp\\)$", consumed) -%}
    {{- return(none if read is none else strandline._text_micros(read.group(1)) + 1) -}}
{% endmacro %}

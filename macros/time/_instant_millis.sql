{#- Unix milliseconds of `yyyy-MM-dd HH:mm:ss[ +HH:MM]` (GMT without an offset) or of a number of
    milliseconds; none for anything else. -#}
{% macro _instant_millis(value) %}
    {%- if value is integer -%}{{- return(value) -}}{%- endif -%}
    {%- set form = '^(\\d{4})-(\\d\\d)-(\\d\\d) (\\d\\d):(\\d\\d):(\\d\\d)(?: ?(Z|[+-]\\d\\d:\\d\\d))?$' -%}
    {%- set read = modules.re.match(form, value | string | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {{- return(strandline._utc_millis(read.groups()[:6] | map('int') | list, read.group(7))) -}}
{% endmacro %}

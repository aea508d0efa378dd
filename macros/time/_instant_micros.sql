{#- Unix microseconds of `yyyy-MM-dd HH:mm:ss[.ffffff][ +HH:MM]` (GMT without an offset) or of a number of
    milliseconds; none for anything else. -#}
{% macro _instant_micros(value) %}
    {%- if value is integer -%}{{- return(value * 1000) -}}{%- endif -%}
    {%- set form = '^(\\d{4})-(\\d\\d)-(\\d\\d) (\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,6}))?(?: ?(Z|[+-]\\d\\d:\\d\\d))?$' -%}
    {%- set read = modules.re.match(form, value | string | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set millis = strandline._utc_millis(read.groups()[:6] | map('int') | list, read.group(8)) -%}
    {%- if millis is none -%}{{- return(none) -}}{%- endif -%}
    {{- return(millis * 1000 + ((read.group(7) or '') ~ '000000')[:6] | int) -}}
{% endmacro %}

{#- Unix milliseconds of an instant in whole seconds, or of a number of milliseconds: what a query's `within` is read by.
    None for anything else, a fraction of a second too, as for the text of a column (`_text_instant`). -#}
{% macro _instant_millis(value) %}
    {%- set micros = none if '.' in value | string else strandline._instant_micros(value) -%}
    {{- return(none if micros is none else micros // 1000) -}}
{% endmacro %}

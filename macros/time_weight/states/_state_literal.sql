{#- A state as a SQL literal: text in quotes, whole numbers as they are; anything else is refused. -#}
{% macro _state_literal(state, who) %}
    {%- if state is string -%}{{- return(strandline._literal(state)) -}}{%- endif -%}
    {%- if state is integer and state is not boolean -%}{{- return(state | string) -}}{%- endif -%}
    {%- do strandline._refuse(who, ["`state` is " ~ state ~ "; write a text or a whole number"]) -%}
{% endmacro %}

{#- The later of two arrivals, as an expression; the first may be none. -#}
{% macro _latest(consumed, seen) %}
    {{- return('greatest(' ~ consumed ~ ', ' ~ seen ~ ')' if consumed else seen) -}}
{% endmacro %}

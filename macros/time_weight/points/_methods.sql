{#- The methods of a time weight: what a person may write, in any case, and what is stored. -#}
{% macro _methods() %}
    {{- return({'locf': 'locf', 'linear': 'linear', 'trapezoidal': 'linear'}) -}}
{% endmacro %}

{#- Whether every bracket of an expression is closed inside it, quoted text left aside. It also
    tells `sum(a)` from `sum(a) / sum(b)`, whose inside `a) / sum(b` is not balanced. -#}
{% macro _is_balanced(expression) %}
    {%- set plain = modules.re.sub("'[^']*'", "''", expression) -%}
    {%- set state = namespace(depth=0, lowest=0) -%}
    {%- for character in plain if character in '()' -%}
        {%- set state.depth = state.depth + (1 if character == '(' else -1) -%}
        {%- set state.lowest = [state.lowest, state.depth] | min -%}
    {%- endfor -%}
    {{- return(state.depth == 0 and state.lowest == 0 and ';' not in plain) -}}
{% endmacro %}

{#- A template with its placeholders, such as `{x}`, filled from `values`. It is read once: what a value holds is never read
    as a placeholder, so that a text of the user's like '{x}' stays what it is. -#}
{% macro _filled(template, values) %}
    {%- set pieces = [] -%}
    {%- for piece in modules.re.split('(\\{\\w+\\})', template) -%}
        {%- do pieces.append(values.get(piece[1:-1], piece) if piece.startswith('{') else piece) -%}
    {%- endfor -%}
    {{- return(pieces | join('')) -}}
{% endmacro %}

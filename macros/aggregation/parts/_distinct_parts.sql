{#- The stored parts of all outputs, each once: an average and a sum of one argument share its sum. -#}
{% macro _distinct_parts(outputs) %}
    {%- set parts = {} -%}
    {%- for output in outputs -%}
        {%- for kind, column in output.columns.items() -%}
            {%- do parts.update({column: {'column': column, 'kind': kind, 'argument': output.argument}}) -%}
            {%- if kind == 'time_weight' -%}{%- do parts[column].update(output.option) -%}{%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(parts.values() | list) -}}
{% endmacro %}

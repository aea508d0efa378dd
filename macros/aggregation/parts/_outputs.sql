{#- Every output of `select`, parsed; adds to `faults` what is wrong with their names or texts. -#}
{% macro _outputs(select, group_by, faults) %}
    {%- if select is not mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select ~ "'; write a mapping from output to aggregate, "
            ~ "such as {'avg_price': 'avg(price)'}") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set outputs = [] -%}
    {%- for name, expression in select.items() -%}
        {%- if not strandline._is_identifier(name) or name in group_by or name.startswith('agg_') -%}
            {%- do faults.append("`select` names an output '" ~ name ~ "'; choose a plain name that is not in "
                ~ "`group_by` and does not begin with agg_ (the tables' own columns do)") -%}
        {%- endif -%}
        {%- set output = strandline._parse_output(name, expression, faults) -%}
        {%- if output is not none -%}
            {%- do output.update({'text': expression | string | trim}) -%}
            {%- do outputs.append(output) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(outputs) -}}
{% endmacro %}

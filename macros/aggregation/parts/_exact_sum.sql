{#- A sum that never wraps around: beyond the range of its type it stops the run. -#}
{% macro _exact_sum() -%}
    if(try_sum({x}) is null and count({x}) > 0, raise_error('{who}: a sum of {argument} is beyond the range of its type; sum a wider one, such as sum(cast({argument} as decimal(38, 0)))'), try_sum({x}))
{%- endmacro %}

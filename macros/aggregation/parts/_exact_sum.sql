{#- A sum that never wraps around: beyond the range of its type it stops the run. -#}
{% macro _exact_sum() -%}
    if(try_sum({x}) is null and count({x}) > 0, raise_error({overflow}), try_sum({x}))
{%- endmacro %}

{#- Count, mean and sum of squared distances from the mean, by Spark's own stable variance. -#}
{% macro _taken_moments() -%}
    if(count({x}) > 0, named_struct('n', count({x}), 'mean', avg(cast({x} as double)), 'm2', var_pop(cast({x} as double)) * count({x})), null)
{%- endmacro %}

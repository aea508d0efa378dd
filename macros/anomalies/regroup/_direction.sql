{#- 1 above the baseline, -1 below it, 0 for one that is equal or unknown. -#}
{% macro _direction() -%}
case when current_value > baseline_value then 1 when current_value < baseline_value then -1 else 0 end
{%- endmacro %}

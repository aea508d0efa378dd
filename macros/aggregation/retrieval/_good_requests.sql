{#- The condition that a request can be answered, and by the table of this duration. -#}
{% macro _good_requests(join, duration) -%}
b.strandline_error is null
{%- if join.per_column %} and b.strandline_per = '{{ duration }}'{% endif -%}
{%- endmacro %}

{#- The events that no bucket can hold, with every column they came with. -#}
{% macro _late_rows(task, condition=none) -%}
select
    {%- for column in task.columns %}
    {{ column }},
    {%- endfor %}
    'no event time: {{ task.aggregate_by }} is null' as late_reason
from (select * from {{ task.feed }}) as feed
where {{ task.aggregate_by }} is null
    {%- if condition %}
    and {{ condition }}
    {%- endif %}
{%- endmacro %}

{#- The events that no bucket holds, with every column they came with and the reason; after the
    CTEs of `_events`. -#}
{% macro _late_rows(task, condition='late_reason is not null') %}

select
    {%- for column in task.columns %}
    {{ column }},
    {%- endfor %}
    late_reason
from placed
where {{ condition }}
{%- endmacro %}

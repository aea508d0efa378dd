{#- Creates or replaces a summary table from its body, the task stored in the same commit. -#}
{% macro _create_summary(relation, task, body) %}
create or replace table {{ relation }}
using delta
tblproperties (
    'strandline.task' = {{ strandline._literal(tojson(strandline._meaning(task))) }}
    {%- for property, value in (config.get('tblproperties') or {}).items() %},
    '{{ property }}' = {{ strandline._literal(value) }}
    {%- endfor %}
)
{{ partition_cols(label='partitioned by') }}
{{ location_clause() }}
{{ comment_clause() }}
as
{{ body }}
{%- endmacro %}

{#- Creates or replaces a summary table from its body; the task and what else the table must know of
    itself are stored in the same commit. Statistics are kept of the columns that runs ask by. -#}
{% macro _create_summary(relation, task, body) %}
    {%- set properties = {'strandline.task': tojson(strandline._meaning(task))} -%}
    {%- do properties.update(context['strandline']['_' ~ task.kind ~ '_properties'](task)) -%}
    {%- do properties.update(config.get('tblproperties') or {}) -%}
create or replace table {{ relation }}
using delta
tblproperties (
    {%- for name, value in properties.items() %}
    {{ strandline._literal(name) }} = {{ strandline._literal(value) }}{{ ',' if not loop.last }}
    {%- endfor %}
)
{{ partition_cols(label='partitioned by') }}
{{ location_clause() }}
{{ comment_clause() }}
as
{{ body }}
{%- endmacro %}

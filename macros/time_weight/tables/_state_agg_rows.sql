{#- Summaries of states by key and bucket. -#}
{% macro _state_agg_rows(task, source) -%}
select
    timestamp_micros(agg_bucket) as agg_timestamp,
    {%- for key in task['keys'] %}
    {{ key }},
    {%- endfor %}
    max(agg_arrival) as agg_arrival,
    {{ strandline._folded_states(strandline._collected_states('timestamp_micros(agg_t)', 'agg_value'), task.gap, task.form == 'full') }} as summary,
    agg_partition
from {{ source }}
group by {{ (['agg_partition', 'agg_bucket'] + task['keys']) | join(', ') }}
{%- endmacro %}

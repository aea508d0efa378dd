{#- The state of the anomalies at a time of the runs: one version of each anomaly, from the snapshot
    of their table. See _macros.yml. -#}
{% macro anomalies_as_of(timestamp, history=none) %}
    {%- set read = strandline._arguments('anomalies_as_of', kwargs, varargs, {
        'timestamp': ['any', timestamp, strandline._instant_form()],
        'history': ['relation', history, 'write ref(…), the snapshot of the anomalies',
            {'optional': true, 'unread': true}],
    }) -%}
    {%- set micros = strandline._instant_micros(timestamp) -%}
    {%- if micros is none -%}
        {%- do read.faults.append("`timestamp` is '" ~ timestamp ~ "'; "
            ~ strandline._instant_form()) -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies_as_of', read.faults) -%}
    {%- set at = strandline._micros_time(micros) -%}
select * except (dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to)
from {{ ref('anomaly_history') if history is none else history }}
where dbt_valid_from <= {{ at }} and (dbt_valid_to is null or dbt_valid_to > {{ at }})
{%- endmacro %}

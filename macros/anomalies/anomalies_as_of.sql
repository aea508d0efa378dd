{#- The state of the anomalies at a time of the runs: one version of each anomaly, from the snapshot
    of their table. See _macros.yml. -#}
{% macro anomalies_as_of(timestamp, history=none) %}
    {%- do strandline._check_call('anomalies_as_of', kwargs, varargs, {
        'timestamp': [timestamp, "write the time of the runs, such as '2014-02-15 00:00:00'"],
    }, ['history']) -%}
    {%- set faults = [] -%}
    {%- set micros = strandline._instant_micros(timestamp) -%}
    {%- if micros is none -%}
        {%- do faults.append("`timestamp` is '" ~ timestamp
            ~ "'; write yyyy-MM-dd HH:mm:ss[.ffffff] (UTC), with an offset such as +01:00 if it is "
            ~ "another zone's") -%}
    {%- endif -%}
    {%- if history is string -%}
        {%- do faults.append("`history` is '" ~ history ~ "'; write ref('" ~ history
            ~ "'), the snapshot of the anomalies") -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies_as_of', faults) -%}
    {%- set at = strandline._micros_time(micros) -%}
select * except (dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to)
from {{ ref('anomaly_history') if history is none else history }}
where dbt_valid_from <= {{ at }} and (dbt_valid_to is null or dbt_valid_to > {{ at }})
{%- endmacro %}

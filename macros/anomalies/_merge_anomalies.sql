{#- One commit that writes the changed rows. The literal bound, the earliest end of what is stored of them, lets Delta skip files. -#}
{% macro _merge_anomalies(relation, task, changes, earliest) %}
merge into {{ relation }} as kept
using (select {{ strandline._anomaly_columns(task.key) | join(', ') }} from {{ changes }}) as changed
on kept.anomaly_id = changed.anomaly_id and kept.ends_at >= {{ strandline._micros_time(earliest) }}
when matched then update set *
when not matched then insert *
{%- endmacro %}

{#- One commit that writes the changed rows. The literal bounds, the ends of what is stored of them, let Delta skip files. -#}
{% macro _merge_anomalies(relation, task, changes, earliest, latest) %}
merge into {{ relation }} as kept
using ({{ strandline._written_anomalies(task, changes) }}) as changed
on kept.anomaly_id = changed.anomaly_id
    and kept.ends_at >= {{ strandline._micros_time(earliest) }} and kept.ends_at <= {{ strandline._micros_time(latest) }}
when matched then update set *
when not matched then insert *
{%- endmacro %}

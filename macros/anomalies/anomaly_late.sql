{#- The body of a view of the detections that a table of anomalies does not have. See
    _macros.yml. -#}
{% macro anomaly_late(source) %}
    {%- set read = strandline._arguments('anomaly_late', kwargs, varargs, {
        'source': strandline._anomalies_argument(source),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set properties = strandline._anomalies_properties_of('anomaly_late', source) -%}
    {%- if properties is none -%}
select cast(null as string) as late_reason
where false
    {%- else -%}
        {%- set task = fromjson(properties['strandline.reads']) -%}
        {%- set faults = [] -%}
        {%- for name in task['keys'] if name in ['late_reason', 'is_ignored'] -%}
            {%- do faults.append("the anomalies have the key '" ~ name
                ~ "', which is also a column of this view; rename it in a staging model") -%}
        {%- endfor -%}
        {%- do strandline._refuse('anomaly_late', faults) -%}
        {%- set watermark = properties.get('strandline.watermark') -%}
        {%- set again = "; to analyse it: strandline run --select " ~ source.identifier
            ~ "+ --from <starts_at> --to <ends_at>" -%}
        {%- set parts = [] -%}
        {%- if watermark is not none -%}
            {%- set micros = strandline._text_micros(watermark) -%}
            {%- do parts.append(['late: it ended before the watermark when it arrived' ~ again,
                strandline._unstored(source, task, micros)]) -%}
            {%- do parts.append(['changed: the stored anomaly has other values' ~ again,
                strandline._changed_unseen(source, task, micros)]) -%}
        {%- endif -%}
        {%- if task.settings.not_after is not none or not parts -%}
            {%- do parts.append(['future: it ends after ' ~ task.settings.not_after,
                strandline._detected(task, is_future=true)]) -%}
        {%- endif -%}
        {%- for reason, query in parts %}
select {{ strandline._literal(reason) }} as late_reason,
    __late.* except (__is_ignored), __late.__is_ignored as is_ignored
from (
    {{ query }}
) as __late
            {%- if not loop.last %}
union all
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{#- The detections at or before the watermark whose newest stored anomaly has other values, or is
    outdated. -#}
{% macro _changed_unseen(relation, task, watermark) %}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
select distinct __detected.*
from ({{ strandline._detected(task) }}) as __detected
inner join (
    select {{ keys | join(', ') }}, starts_at, ends_at,
        max_by(struct({{ values | join(', ') }}, status = 'ignored' as __is_ignored), generation)
            as __values,
        max_by(status, generation) as __status
    from {{ relation }}
    where not is_parent
    group by {{ keys | join(', ') }}, starts_at, ends_at
) as __kept
    on {{ strandline._same_key(task, '__kept', '__detected') }}
    and __kept.starts_at = __detected.starts_at and __kept.ends_at = __detected.ends_at
where __detected.ends_at <= {{ strandline._micros_time(watermark) }}
    and (__kept.__status = 'outdated' or not __kept.__values <=> struct(
        {{ strandline._with_alias('__detected', values) }}, __detected.__is_ignored))
{%- endmacro %}

{#- The properties of a table of anomalies; none while it does not exist. Fails if it is another
    table, or if an earlier release wrote it last. -#}
{% macro _anomalies_properties_of(who, source) %}
    {%- if not execute or not strandline._types_of(source) -%}{{- return(none) -}}{%- endif -%}
    {%- set properties = strandline._properties_of(source) -%}
    {%- if 'strandline.reads' not in properties -%}
        {%- do strandline._refuse(who, ["`source` is " ~ source.identifier ~ ", which no run of "
            ~ "strandline.anomalies of this release has written; pass the model that calls it, and "
            ~ "run that model first"]) -%}
    {%- endif -%}
    {{- return(properties) -}}
{% endmacro %}

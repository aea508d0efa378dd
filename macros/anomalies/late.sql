{#- The body of a view of the detections that a table of anomalies does not have. See
    _macros.yml. -#}
{% macro anomaly_late(source) %}
    {%- set read = strandline._arguments('anomaly_late', kwargs, varargs, {
        'source': strandline._anomalies_argument(source),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set properties = strandline._anomalies_properties_of(read) -%}
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
    on {{ strandline._same_columns(task['keys'], '__kept', '__detected') }}
    and __kept.starts_at = __detected.starts_at and __kept.ends_at = __detected.ends_at
where __detected.ends_at <= {{ strandline._micros_time(watermark) }}
    and (__kept.__status = 'outdated' or not __kept.__values <=> struct(
        {{ strandline._with_alias('__detected', values) }}, __detected.__is_ignored))
{%- endmacro %}

{#- The properties of a table of anomalies; none while it does not exist. Fails if it is another
    table, or if an earlier release wrote it last. -#}
{% macro _anomalies_properties_of(read) %}
    {%- if not read.types.source -%}{{- return(none) -}}{%- endif -%}
    {%- set properties = strandline._properties_of(read.source) -%}
    {%- if 'strandline.reads' not in properties -%}
        {%- do strandline._refuse(read.who, ["`source` is " ~ read.source.identifier
            ~ ", which no run of strandline.anomalies of this release has written; pass the model "
            ~ "that calls it, and run that model first"]) -%}
    {%- endif -%}
    {{- return(properties) -}}
{% endmacro %}

{#- The body of the ledger of a table of anomalies: what its runs did with the detections that they
    received, one row for each run. See _macros.yml. -#}
{% macro anomaly_ledger(source) %}
    {%- set read = strandline._arguments('anomaly_ledger', kwargs, varargs, {
        'source': strandline._anomalies_argument(source, {'unread': true}),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- config(materialized='strandline_anomaly_ledger',
        file_format=strandline._file_format()) -}}
    {%- if execute -%}
        {{- strandline._task_line({'kind': 'anomaly_ledger', 'anomalies': source.identifier,
            'settings': {'anomalies': source | string}}) }}
select count(*) as anomalies from {{ source }}
    {%- endif -%}
{% endmacro %}

{#- The materialization of the ledger of anomalies. A run that finds a detection which should be
    stored and is not fails, and nothing is written. -#}
{% materialization strandline_anomaly_ledger, adapter='spark' %}
    {%- set begun = strandline._begin_run(compiled_code) -%}
    {%- if begun.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set rows = strandline._new_ledger_runs(begun.task, none if begun.is_new else this) -%}
    {%- set sql = strandline._anomaly_ledger_rows(rows.runs) -%}
    {%- if begun.is_new -%}
        {%- do strandline._create(begun, strandline._create_table(this, begun.task, sql, {})) -%}
    {%- elif rows.runs -%}
        {%- do run_query(strandline._insert_rows(this, {'sql': sql, 'watermark': rows.last,
            'column': 'run'})) -%}
    {%- endif -%}
    {%- call noop_statement('main', message=rows.message,
        rows_affected=none if begun.is_new or rows.runs else 0) -%}{%- endcall -%}
    {{ return(strandline._finish_run(begun)) }}
{% endmaterialization %}

{#- The runs of the table of anomalies that the ledger does not have yet: those with a later number,
    or a later time, because a full refresh counts from 1 again. Fails if a detection up to the
    watermark should be stored and is not. -#}
{% macro _new_ledger_runs(task, relation) %}
    {%- set source = task.settings.anomalies -%}
    {%- set properties = strandline._properties_of(source) -%}
    {%- if 'strandline.reads' not in properties -%}
        {%- do strandline._refuse(model.name, ["`source` is " ~ task.anomalies ~ ", which no run "
            ~ "of strandline.anomalies of this release has written; pass the model that calls it, "
            ~ "and run that model first"]) -%}
    {%- endif -%}
    {%- set missing = strandline._not_stored(model.name, task, properties) -%}
    {%- set last = [none, none] if relation is none
        else run_query('select max(run), unix_micros(max(run_at)) from ' ~ relation).rows[0] -%}
    {%- set runs, parts = [], [] -%}
    {%- for each in fromjson(properties.get('strandline.runs', '[]')) -%}
        {%- set at = none if last[0] is none or each.run > last[0] | int
            else run_query('select unix_micros(' ~ each.run_at ~ ')').rows[0][0] | int -%}
        {%- if last[0] is none or each.run > last[0] | int or at > last[1] | int -%}
            {%- do runs.append(dict(each, not_stored=none)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if runs -%}{%- do runs[-1].update({'not_stored': missing}) -%}{%- endif -%}
    {%- for name in ['received', 'classified', 'ignored', 'late', 'future'] if runs -%}
        {%- set count = runs | map(attribute=name) | sum -%}
        {%- do parts.append(count ~ ' ' ~ name) if count -%}
    {%- endfor -%}
    {{- return({'runs': runs, 'last': none if last[0] is none else last[0] | int,
        'message': parts | join(', ') or 'nothing new'}) -}}
{% endmacro %}

{#- How many detections up to the watermark are not stored. Where late ones are analysed that is
    none: otherwise detections have changed after the last run, or have no arrival. -#}
{% macro _not_stored(who, task, properties) %}
    {%- set watermark = properties.get('strandline.watermark') -%}
    {%- if watermark is none -%}{{- return(0) -}}{%- endif -%}
    {%- set read = fromjson(properties['strandline.reads']) -%}
    {%- set row = run_query('select count(*), unix_micros(min(starts_at)), '
        ~ 'unix_micros(max(ends_at)) from (' ~ strandline._unstored(task.settings.anomalies, read,
            strandline._text_micros(watermark)) ~ ')').rows[0] -%}
    {%- if row[0] | int and read.settings.late == 'analyse' -%}
        {%- do strandline._refuse(who, [row[0] | int ~ " detections end at or before the watermark "
            ~ watermark ~ " and " ~ task.anomalies ~ " does not have them: they have no `arrival` "
            ~ "by which a run finds them, or arrived with a lower one, or after its last run",
            "to analyse them: `strandline run --select " ~ task.anomalies ~ "+ --from '"
            ~ strandline._micros_text(row[1] | int) ~ "' --to '"
            ~ strandline._micros_text(row[2] | int) ~ "'`"]) -%}
    {%- endif -%}
    {{- return(row[0] | int) -}}
{% endmacro %}

{#- Rows of the ledger as a query; none before the first run. -#}
{% macro _anomaly_ledger_rows(runs) %}
{%- set counts = ['received', 'classified', 'ignored', 'late', 'future', 'late_analysed', 'written',
    'not_stored'] -%}
{%- for each in runs or [{'run_at': 'null'}] %}
select
    cast({{ each.get('run', 'null') }} as bigint) as run,
    cast({{ each.run_at }} as timestamp) as run_at,
    {{ 'cast(null as timestamp)' if each.get('watermark') is none else strandline._micros_time(
        strandline._text_micros(each.watermark)) }} as watermark
    {%- for name in counts %},
    cast({{ 'null' if each.get(name) is none else each[name] }} as bigint) as {{ name }}
    {%- endfor %}
{%- if not loop.last %}
union all
{%- endif %}
{%- endfor %}
{%- if not runs %}
where false
{%- endif %}
{%- endmacro %}

{#- The late points of a whole source. Only the keys of the table's task on which a reason depends
    are stored: a change of the gap does not affect the late points. -#}
{% macro _late_points_table(table_task, source, faults) %}
    {%- do strandline._refuse(table_task.summary ~ '_late of ' ~ model.name, faults) -%}
    {{- config(materialized='strandline_points_late', file_format=strandline._file_format()) -}}
    {%- if execute -%}
        {%- do strandline._check_points(
            table_task, source, table_task.summary ~ '_late of ' ~ model.name) -%}
        {%- set task = {'kind': 'late_points', 'columns': strandline._types_of(source) | list} -%}
        {%- for name in ['summary', 'upstream', 'upstream_name', 'ts', 'value', 'arrival'] -%}
            {%- do task.update({name: table_task[name]}) -%}
        {%- endfor -%}
        {%- if 'late_reason' in task.columns -%}
            {%- do strandline._refuse(task.summary ~ '_late of ' ~ model.name, [task.upstream_name
                ~ " has the column late_reason, whose name is reserved; "
                ~ "rename it in a staging model"]) -%}
        {%- endif -%}
        {{- strandline._task_line(task) }}
{{ strandline._late_points(task, 'true') }}
    {%- endif -%}
{% endmacro %}

{#- The points that do not count, with all their columns and the reason. -#}
{% macro _late_points(task, condition) -%}
select
    {%- for column in task.columns %}
    `{{ column | replace('`', '``') }}`,
    {%- endfor %}
    late_reason
from (
    {{ strandline._points_with_reason(task, condition) }}
)
where late_reason is not null
{%- endmacro %}

{#- The points of a source with the reason why they do not count, null for those that do. The reason
    is computed for every point, so a point without an arrival fails the run. -#}
{% macro _points_with_reason(task, condition) -%}
    {%- set arrival = strandline._point_arrival(task) -%}
select
        upstream.*,
        {{ arrival }} as agg_arrival,
        case
            when {{ arrival }} is null
                then 'no arrival' -- never returned: a null arrival fails the run
            {%- for fault in strandline._point_faults(task) %}
            when {{ fault.condition }} then {{ strandline._literal(fault.reason) }}
            {%- endfor %}
        end as late_reason
    from (select * from {{ task.upstream }}) as upstream
    where {{ condition }}
{%- endmacro %}

{#- The materialization of a table of late points. A run appends late points that are not stored
    yet, and stores its watermark in a property. -#}
{% materialization strandline_points_late, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- if run.is_new -%}
        {%- set properties = strandline._late_points_properties(run.task) -%}
        {%- do strandline._create(run,
            strandline._create_table(this, run.task, compiled_code, properties)) -%}
    {%- else -%}
        {%- do strandline._write_change(this,
            strandline._late_points_change(this, run.task, run.properties)) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The incremental change of a table of late points: rows to append, if any, and the watermark as a
    property. The property may be behind the rows, but never ahead: a run that was killed between
    the two commits reads the same points again and appends nothing twice. -#}
{% macro _late_points_change(relation, task, properties) %}
    {%- set watermark = fromjson(properties.get('strandline.watermark', '{}')).get('arrival') -%}
    {%- set stored = strandline._watermark(relation, task.arrival) -%}
    {%- set is_new = strandline._is_new(task, watermark) or 'true' -%}
    {%- set is_missing = 'agg_arrival > ' ~ stored if stored else 'true' -%}
    {%- set found = strandline._late_points_read(task, is_new, is_missing) -%}
    {%- if found.arrival is none -%}{{- return(none) -}}{%- endif -%}
    {%- set is_read = is_new ~ ' and upstream.' ~ task.arrival ~ ' <= ' ~ found.arrival -%}
    {{- return({
        'sql': strandline._late_points(task, is_read) ~ ' and ' ~ is_missing
            if found.has_late else none,
        'properties': {'strandline.watermark': tojson({'arrival': found.arrival})},
        'watermark': stored, 'column': task.arrival,
    }) -}}
{% endmacro %}

{#- The properties of a new table of late points: its watermark. It is read before the rows are, so
    that it is never ahead of them. -#}
{% macro _late_points_properties(task) %}
    {%- set found = strandline._late_points_read(task, 'true', 'false') -%}
    {{- return({'strandline.watermark': tojson({'arrival': found.arrival})}
        if found.arrival is not none else {}) -}}
{% endmacro %}

{#- The latest arrival among points, and whether some of them are late and not stored yet. -#}
{% macro _late_points_read(task, condition, is_missing) %}
    {%- set row = run_query("select " ~ strandline._exact_text('max(agg_arrival)')
        ~ ", typeof(max(agg_arrival)), "
        ~ "count_if(late_reason is not null and " ~ is_missing ~ ") from ("
        ~ strandline._points_with_reason(task, condition) ~ ")").rows[0] -%}
    {{- return({'arrival': strandline._typed_literal(row[0], row[1]),
        'has_late': row[2] | int > 0}) -}}
{% endmacro %}

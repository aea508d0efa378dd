{#- The late points of all that a source has. Of the table's task only what a reason depends on is
    kept: another gap leaves the late points as they are. -#}
{% macro _late_points_table(table_task, source, faults) %}
    {%- do strandline._refuse(table_task.summary ~ '_late of ' ~ model.name, faults) -%}
    {{- config(materialized='strandline_points_late', file_format='delta') -}}
    {%- if execute -%}
        {%- do strandline._check_points(
            table_task, source, table_task.summary ~ '_late of ' ~ model.name) -%}
        {%- set task = {'kind': 'late_points', 'columns': strandline._types_of(source) | list} -%}
        {%- for name in ['summary', 'upstream', 'upstream_name', 'ts', 'value', 'arrival'] -%}
            {%- do task.update({name: table_task[name]}) -%}
        {%- endfor -%}
        {%- if 'late_reason' in task.columns -%}
            {%- do strandline._refuse(task.summary ~ '_late of ' ~ model.name, [task.upstream_name
                ~ " has the column late_reason, whose name Strandline keeps for itself; "
                ~ "rename it in a staging model"]) -%}
        {%- endif -%}
        {{- strandline._task_line(task) }}
{{ strandline._late_points(task, 'true') }}
    {%- endif -%}
{% endmacro %}

{#- The points that do not count, with every column they came with and the reason. -#}
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
    is asked of every point, and so stops the run at one without an arrival. -#}
{% macro _points_with_reason(task, condition) -%}
    {%- set arrival = strandline._point_arrival(task) -%}
select
        upstream.*,
        {{ arrival }} as agg_arrival,
        case
            when {{ arrival }} is null then 'no arrival' -- never seen: it stops the run
            {%- for fault in strandline._point_faults(task) %}
            when {{ fault.condition }} then {{ strandline._literal(fault.reason) }}
            {%- endfor %}
        end as late_reason
    from (select * from {{ task.upstream }}) as upstream
    where {{ condition }}
{%- endmacro %}

{#- The materialization of a table of late points. A run appends those that are not stored yet, and
    keeps in a property how far it has read. -#}
{% materialization strandline_points_late, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_new -%}
        {%- set properties = strandline._late_points_properties(run.task) -%}
        {%- do strandline._create(run, strandline._create_table(this, run.task, compiled_code, properties)) -%}
    {%- else -%}
        {%- do strandline._write_change(this, strandline._late_points_change(this, run.task, run.properties)) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- What is new among the late points: rows to append, if any, and the arrival up to which points
    were read, as a property. The property may lag behind the rows, never lead: a run that was
    killed between the two reads the same points again, and appends nothing twice. -#}
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

{#- The properties that a new table of late points is created with: up to which arrival points were
    read. It is asked before the rows are, so that it never says more than they hold. -#}
{% macro _late_points_properties(task) %}
    {%- set found = strandline._late_points_read(task, 'true', 'false') -%}
    {{- return({'strandline.watermark': tojson({'arrival': found.arrival})}
        if found.arrival is not none else {}) -}}
{% endmacro %}

{#- The latest arrival among points, and whether any of them are late and not in the table yet. -#}
{% macro _late_points_read(task, condition, is_missing) %}
    {%- set row = run_query("select " ~ strandline._exact_text('max(agg_arrival)')
        ~ ", typeof(max(agg_arrival)), "
        ~ "count_if(late_reason is not null and " ~ is_missing ~ ") from ("
        ~ strandline._points_with_reason(task, condition) ~ ")").rows[0] -%}
    {{- return({'arrival': strandline._typed_literal(row[0], row[1]),
        'has_late': row[2] | int > 0}) -}}
{% endmacro %}

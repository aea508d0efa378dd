{#- The arguments of a table of late points, for `_arguments`: those of the table of summaries, so
    that both can share them, and `table`, which lists the points that it could not add. -#}
{% macro _late_points_arguments(source, ts, bucket, keys, arrival, not_after, own, table) %}
    {{- return(dict(strandline._points_arguments(source, ts, bucket, keys, arrival, not_after, own),
        table=['relation', table, "pass the table of the points' summaries, such as "
            ~ "ref('signal_hours'), or leave it out", {'optional': true, 'has': 'agg_count'}])) -}}
{% endmacro %}

{#- The late points of a whole source. Only the keys of the table's task on which a reason depends
    are stored: a change of the gap does not affect the late points. `settings` say where the points
    are listed that the table of summaries could not add: its relation and its keys; nothing without
    `table`, or while that is a table of 0.1.0. -#}
{% macro _late_points_table(given) %}
    {%- set read, stored = given.read, {} -%}
    {%- for name, value in given.task.items() if name in ['summary', 'upstream', 'upstream_name',
        'ts', 'value', 'arrival', 'not_after', 'nulls'] -%}
        {%- do stored.update({name: value}) -%}
    {%- endfor -%}
    {%- for column in read.types.source if column == 'late_reason' or column.startswith('__') -%}
        {%- do read.faults.append(read.source.identifier ~ " has the column " ~ column
            ~ ", whose name is reserved; rename it in a staging model") -%}
    {%- endfor -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- config(materialized='strandline_points_late', file_format=strandline._file_format()) -}}
    {%- if execute -%}
        {%- set listed = {} if read.table is none else {'table': read.table | string,
            'keys': read['keys'],
            'is_listed': 'agg_late' in read.types.table or not read.types.table} -%}
        {%- set task = dict(stored, kind='late_points', columns=read.types.source | list,
            settings=listed) -%}
        {{- strandline._task_line(task) }}
{%- set is_unread = 'coalesce(__upstream.' ~ strandline._quoted(task.arrival)
    ~ ' > (select max(agg_arrival) from ' ~ read.table ~ '), true)' %}
{{ strandline._late_rows(task, strandline._classified_points(task,
    strandline._is_read_by_table(task, is_unread) or 'true')) }}
    {%- endif -%}
{% endmacro %}

{#- The points of a source with the reason why they do not count, null for those that do. The reason
    is computed for every point, so a point without an arrival fails the run. Points that the table
    of summaries could not add are listed in its rows; an arrival that was listed after `watermark`
    is in a row of a later arrival. -#}
{% macro _points_with_reason(task, condition, watermark=none) -%}
    {%- set arrival = strandline._point_arrival(task) -%}
    {%- set is_listed = task.get('settings', {}).get('is_listed') -%}
select
        __upstream.*,
        {{ arrival }} as __arrival,
        case
            when {{ arrival }} is null
                then 'no arrival' -- never returned: a null arrival fails the run
            {%- for fault in strandline._point_faults(task) %}
            when {{ fault.condition }} then {{ strandline._literal(fault.reason) }}
            {%- endfor %}
            {%- if is_listed %}
            when __listed.__t is not null
                then {{ strandline._literal(strandline._removed_points_reason()) }}
            {%- endif %}
        end as late_reason
    from (select * from {{ task.upstream }}) as __upstream
    {%- if is_listed %}
    left join (
        select distinct __late.arrival as __late_arrival, unix_micros(__late.ts) as __t
            {%- for key in task.settings['keys'] %}, {{ strandline._quoted(key)
                }} as __key_{{ loop.index }}{% endfor %}
        from (
            select *, explode(agg_late) as __late
            from {{ task.settings.table }}
            where size(agg_late) > 0{{ ' and agg_arrival > ' ~ watermark if watermark }}
        )
    ) as __listed
        on __listed.__late_arrival = __upstream.{{ strandline._quoted(task.arrival) }}
        and __listed.__t = {{ strandline._point_micros(task) }}
        {%- for key in task.settings['keys'] %}
        and __listed.__key_{{ loop.index }} <=> __upstream.{{ strandline._quoted(key) }}
        {%- endfor %}
    {%- endif %}
    where {{ condition }}
{%- endmacro %}

{#- Whether the table of summaries has read a point, so that it lists it if it could not add it:
    no point that counts and has arrived as early `is_unread`, above its watermark. None without a
    table. -#}
{% macro _is_read_by_table(task, is_unread) %}
    {%- if not task.settings.get('is_listed') -%}{{- return(none) -}}{%- endif -%}
    {%- set arrival = '__upstream.' ~ strandline._quoted(task.arrival) -%}
    {%- set faults = strandline._point_faults(task) | map(attribute='condition') | list -%}
    {{- return('coalesce(' ~ arrival ~ ' < (select min(' ~ arrival ~ ') from (select * from '
        ~ task.upstream ~ ') as __upstream where ' ~ is_unread ~ ' and not (' ~ faults
        | join(' or ') ~ ')), true)') -}}
{% endmacro %}

{#- The materialization of a table of late points. -#}
{% materialization strandline_points_late, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code,
        rows_read=strandline._rows_read_by_late) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- do strandline._write_late(run, compiled_code, strandline._late_points(this, run)) -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The points that a run of a late table classifies, for `_write_late`: those above its watermark
    that the table of summaries has read. Both bounds are literal, so that files are skipped. -#}
{% macro _late_points(relation, run) %}
    {%- set task = run.task -%}
    {%- set watermark = strandline._late_watermark(run.properties).get('arrival') -%}
    {%- set last = none if run.is_new
        else strandline._watermark(relation, strandline._quoted(task.arrival)) -%}
    {%- set read = strandline._watermark(task.settings.table)
        if task.settings.get('is_listed') else none -%}
    {%- set is_read = strandline._is_read_by_table(task,
        strandline._is_new(task, read) or 'true') -%}
    {%- set condition = [strandline._is_new(task, watermark), is_read] | select
        | join(' and ') or 'true' -%}
    {{- return(strandline._classified_points(task, condition, watermark, last)) -}}
{% endmacro %}

{#- The points that fulfil a condition, for `_write_late`; late points up to the arrival `last` are
    stored. -#}
{% macro _classified_points(task, condition, watermark=none, last=none) %}
    {%- set points -%}
with __classified_points as (
    {{ strandline._points_with_reason(task, condition, watermark) }}
)
    {%- endset -%}
    {{- return({'sql': points, 'rows': '__classified_points', 'noun': 'point',
        'arrival': '__arrival',
        'is_new': 'late_reason is not null' ~ (' and __arrival > ' ~ last if last else ''),
        'is_read': none, 'read': none, 'last': last, 'newest': none}) -}}
{% endmacro %}

{#- The parameters of a run: what the table has read, what is new, and the clock after it. None if
    there is nothing new. `last` and `first` bound the new rows: arrival numbers, or cycles. -#}
{% macro _window_run(relation, task, is_new) %}
    {%- set run = {'is_stored': not is_new, 'stored': relation | string, 'clock': none,
        'first': none, 'events': 0, 'accepted': 0, 'depth': 1,
        'staged': none, 'folded': none, 'seen': none, 'builds': none} -%}
    {%- if not is_new -%}
        {%- set row = run_query("select window_progress.* from " ~ relation
            ~ " where window_part = 'open' and row_kind = 'clock'").rows[0] -%}
        {%- do run.update({'clock': none if row[0] is none else row[0] | int,
            'events': row[1] | int, 'accepted': row[2] | int, 'seen': row[3],
            'previous_arrival': row[4], 'builds': row[5]}) -%}
    {%- endif -%}
    {%- do strandline._chained_bounds(task, run) if task.status
        else strandline._arrival_bounds(task, run) -%}
    {%- set clocks = [run.clock, run.newest] -%}
    {%- if not task.status -%}{%- do clocks.append(strandline._as_of()) -%}{%- endif -%}
    {%- set clocks = clocks | reject('none') | list -%}
    {%- do run.update({'now': clocks | max if clocks else -9000000000000000000}) -%}
    {%- if not is_new and not run.new_events and run.now == run.clock
        and run.arrival | string == run.previous_arrival | string -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(run) -}}
{% endmacro %}

{#- The range of the new arrival numbers, and the newest time among them. -#}
{% macro _arrival_bounds(task, run) %}
    {%- set arrival = strandline._quoted(task.arrival) -%}
    {%- set clock = strandline._window_clock(task) -%}
    {%- do run.update({'unread': task.upstream ~ ('' if run.seen is none else ' where ' ~ arrival
        ~ ' > ' ~ run.seen ~ ' or ' ~ arrival ~ ' is null')}) -%}
    {%- set row = run_query('select count(*), min(' ~ arrival ~ '), max(' ~ arrival ~ '), max('
        ~ clock ~ '), count_if(' ~ arrival ~ ' is null), min(' ~ clock ~ ') from '
        ~ run.unread).rows[0] -%}
    {%- if row[4] -%}
        {%- do strandline._refuse(model.name, [row[4] | int ~ ' of ' ~ row[0] | int
            ~ " new events have no `" ~ task.arrival
            ~ "`; nothing was written; number them, and run again"]) -%}
    {%- endif -%}
    {%- do run.update({'new_events': row[0] | int, 'first': 0 if row[1] is none else row[1] | int,
        'last': -1 if row[2] is none else row[2] | int,
        'newest': none if row[3] is none else row[3] | int,
        'oldest': none if row[5] is none else row[5] | int}) -%}
    {%- set seen = run.last if run.new_events else run.seen -%}
    {%- do run.update({'seen_now': seen, 'arrival': seen}) -%}
{% endmacro %}

{#- Warns if the clock jumps by more than the whole past of the table, and by more than a day: one
    event of a wrong time makes all honest ones late. The past begins with the first clock, in the
    table or in its first run. -#}
{% macro _warn_of_jump(relation, task, run) %}
    {%- set day = 86400000000 -%}
    {%- set previous = run.clock if run.clock is not none else run.oldest -%}
    {%- if run.newest is none or run.newest - previous <= day -%}{{- return(none) -}}{%- endif -%}
    {%- set first = run_query('select unix_micros(min(entered.at)) from ' ~ relation
        ~ " where row_kind = 'row'").rows[0][0] if run.is_stored else none -%}
    {%- set first = run.oldest if first is none else first | int -%}
    {%- set middle = first + (run.newest - first) // 2 -%}
    {%- if previous > middle -%}{{- return(none) -}}{%- endif -%}
    {%- set clock = strandline._window_clock(task) -%}
    {%- set row = run_query('select max(if(' ~ clock ~ ' <= ' ~ middle ~ ', ' ~ clock
        ~ ', null)), min(if(' ~ clock ~ ' > ' ~ middle ~ ', ' ~ clock ~ ', null)) from '
        ~ run.unread).rows[0] -%}
    {%- set before = [previous, previous if row[0] is none else row[0] | int] | max -%}
    {%- set after = row[1] | int -%}
    {%- if before > first and after - before > [day, before - first] | max -%}
        {%- set instants = [] -%}
        {%- for micros in [before, after, first] -%}
            {%- do instants.append(run_query('select date_format(timestamp_micros(' ~ micros
                ~ "), 'yyyy-MM-dd HH:mm:ss')").rows[0][0]) -%}
        {%- endfor -%}
        {%- do exceptions.warn(model.name ~ ": the clock jumps from " ~ instants[0] ~ " to "
            ~ instants[1] ~ ", which is more than the whole past of this window, since "
            ~ instants[2] ~ ". Events of earlier times are late from now on. If the time is wrong, "
            ~ "give `not_after`, and see The clock in docs/windows.md for the way back") -%}
    {%- endif -%}
{% endmacro %}

{#- The range of the new cycles of the source window, and its clock. -#}
{% macro _chained_bounds(task, run) %}
    {%- set upstream = strandline._window_progress_of([task.upstream])[0] -%}
    {%- do strandline._check_builds([task.upstream_name], run.builds, upstream.build) -%}
    {%- set cycle = 'entered' if task.status == 'new' else 'expelled' -%}
    {%- set seen = strandline._cycle_literal(run.seen) if run.seen else none -%}
    {%- set row = run_query("select count(" ~ cycle ~ "), to_json(max(" ~ cycle
        ~ "), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timeZone', 'UTC')), "
        ~ "unix_micros(min(" ~ cycle ~ ".at)), unix_micros(max(" ~ cycle ~ ".at)) from "
        ~ task.upstream ~ " where row_kind = 'row' and "
        ~ strandline._is_unread(cycle, seen)).rows[0] -%}
    {%- do run.update({'new_events': row[0] | int, 'first': seen,
        'depth': upstream.depth + 1, 'builds': upstream.build, 'arrival': upstream.arrival,
        'last': strandline._cycle_literal(row[1]) if row[1] else 'null',
        'earliest': row[2] | int if row[2] is not none else 0,
        'width': ((row[3] | int) - (row[2] | int)) // 256 + 1 if row[2] is not none else 1,
        'newest': upstream.clock, 'seen_now': row[1] or run.seen}) -%}
{% endmacro %}

{#- Whether a cycle is after the last one that was read; files are skipped by its time, if it has
    one: the cycles before the clock has a time come first, and theirs is null. -#}
{% macro _is_unread(cycle, seen) %}
    {{- return(cycle ~ ' is not null' if seen is none else cycle ~ ' > ' ~ seen
        ~ (' and ' ~ cycle ~ '.at >= ' ~ seen ~ '.at' if '"at"' in seen else '')) -}}
{% endmacro %}

{#- A cycle from its JSON, in which times are in UTC. -#}
{% macro _cycle_literal(json) %}
    {{- return("from_json('" ~ json
        ~ "', '" ~ strandline._cycle_type() ~ "', "
        ~ "map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX'))") -}}
{% endmacro %}

{#- The watermark of each of some windows: its clock, the last arrival number behind it, the length
    of its steps, the build of the table, and the kind of its task (window, correlation). -#}
{% macro _window_progress_of(windows) %}
    {%- set found = [] -%}
    {%- for window in windows -%}
        {%- set properties = strandline._properties_of(window) -%}
        {%- set row = run_query("select window_progress.clock, window_progress.arrival from "
            ~ window ~ " where window_part = 'open' and row_kind = 'clock'").rows[0] -%}
        {%- do found.append({'clock': none if row[0] is none else row[0] | int,
            'arrival': -1 if row[1] is none else row[1] | int,
            'depth': properties['strandline.depth'] | int,
            'build': properties['strandline.build'],
            'kind': fromjson(properties['strandline.task']).kind}) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}

{#- Fails if a window was rebuilt since this table read it: its cycles may be others now. Builds are
    a list in text, in the order of the names. -#}
{% macro _check_builds(names, stored, now) %}
    {%- set faults = [] -%}
    {%- for build in now.split(',') -%}
        {%- if stored is not none and build != stored.split(',')[loop.index0] -%}
            {%- do faults.append(names[loop.index0] ~ " was rebuilt after this table had read it; "
                ~ "rebuild this table and its downstream tables: `dbt build --full-refresh "
                ~ "--select " ~ model.name ~ "+`") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do strandline._refuse(model.name, faults) -%}
{% endmacro %}

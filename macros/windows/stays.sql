{#- The CTE `__stays`, from `__events` and the stored rows that are inside: the columns of the task
    and `entry`, `exit`, `entered`, `expelled`, `reason`, `row_kind`, `window_state`, and
    `__is_old` for stored rows. -#}
{% macro _stays(task, run) -%}
{%- set kind = task.store.kind -%}
{%- if run.folded -%}{{- strandline._folded_stays(task, run) -}}
{%- elif kind == 'time' -%}{{- strandline._timed_stays(task, run) -}}
{%- elif kind == 'tumbling' -%}{{- strandline._tumbling_stays(task, run) -}}
{%- else -%}{{- strandline._sliding_stays(task, run) -}}
{%- endif -%}
{%- endmacro %}

{#- The events and the stored rows that are inside, in one list; the stored ones have no turn and
    come first. `__is_in` distinguishes rows that are or will be in the window. Events that wait in
    other windows of a group only are left out. -#}
{% macro _lined_rows(task, run) -%}
{%- set conditions = ['__accepts'] if task.weights else [] -%}
{%- if task.store.kind == 'random' -%}
    {%- do conditions.append('(reason is not null or pmod(xxhash64(' ~ task.store.seed ~ 'L, '
        ~ (strandline._all_quoted(task.ordered) | join(', ')) ~ '), 2) = 0)') -%}
{%- endif -%}
select {{ strandline._all_quoted(task.columns) | join(', ') }}, __time, __sequence as entry,
    __turn, __at, __cycle_arrival, __step, cast(null as bigint) as __stored,
    {{ strandline._cycle('__at', '__cycle_arrival', '__step') }} as __cycle,
    reason, reason is null and __turn is not null as __is_in, false as __is_old
from __events
{{ 'where ' ~ conditions | join(' and ') if conditions }}
{%- if run.is_stored %}
union all
select {{ strandline._stored_columns(task) }}, window_state.t, entry, null, null, null, null,
    window_state.position, entered, null, true, true
from {{ run.stored }}
where window_part = 'open' and row_kind = {{ strandline._literal(strandline._stay_kind(task)) }}
{%- endif -%}
{%- endmacro %}

{#- The kind of the rows that are in the window: behind aggregates they are events. -#}
{% macro _stay_kind(task) %}
    {{- return('event' if task.aggregates else 'row') -}}
{% endmacro %}

{#- The columns of the task as they are read from the stored table. -#}
{% macro _stored_columns(task) %}
    {%- set columns = [] -%}
    {%- for column in task.columns -%}
        {%- set name = strandline._quoted(column) -%}
        {%- do columns.append('window_event.' ~ name ~ ' as ' ~ name
            if task.aggregates and column not in task['keys'] else name) -%}
    {%- endfor -%}
    {{- return(columns | join(', ')) -}}
{% endmacro %}

{#- A cycle as a struct; `prefix` is its step without the last number. -#}
{% macro _cycle(at, arrival, prefix, step='0') -%}
named_struct('at', timestamp_micros({{ at }}), 'arrival', cast({{ arrival }} as bigint), 'step',
    concat({{ prefix }}, array(cast({{ step }} as int))))
{%- endmacro %}

{#- The last columns of `__stays`: what the row is, and what the next run needs to know of it. The
    field `accepted` is there for tables of 0.1.0. -#}
{% macro _stay_end(task, position='cast(null as bigint)') -%}
reason,
    case when reason is not null then 'late' when not __is_in then 'pending'
        else {{ strandline._literal(strandline._stay_kind(task)) }} end as row_kind,
    named_struct('t', __time, 'at', __at, 'accepted', cast(null as bigint),
        'position', {{ position }}) as window_state,
    __is_old
{%- endmacro %}

{#- The stays of a sliding window. A turn first fills the free slots in one step; after that, and in
    a full window, each step lets one event in and the oldest row out, which is N places before. -#}
{% macro _sliding_stays(task, run) -%}
{%- set line = 'partition by '
    ~ (strandline._all_quoted(task['keys']) + ['__is_in']) | join(', ')
    ~ ' order by __turn' -%}
{%- set n = task.store.count -%}
__stays as (
    select {{ strandline._all_quoted(task.columns) | join(', ') }}, entry,
        if(__is_in, lead(entry, {{ n }}) over ({{ line }}, entry), null) as exit,
        if(__is_in, __cycle, null) as entered,
        if(__is_in, lead(__cycle, {{ n }}) over ({{ line }}, entry), null) as expelled,
        {{ strandline._stay_end(task, position='__position') }}
    from (
        select * except (__cycle),
            if(__is_old or not __is_in, __cycle, {{ strandline._cycle(
                '__at', '__cycle_arrival', '__step',
                'greatest(0, __position - __before - greatest(' ~ n
                ~ ' - __before, 1))') }}) as __cycle
        from (
            select *, __first + __row as __position,
                __first + count(*) over ({{ line }} range between unbounded preceding
                    and 1 preceding) as __before
            from (
                select *, row_number() over ({{ line }}, entry) as __row,
                    coalesce(first_value(__stored) over ({{ line }}, entry
                        rows unbounded preceding), 1) - 1 as __first
                from (
                    {{ strandline._lined_rows(task, run) | indent(20) }}
                )
            )
        )
    )
)
{%- endmacro %}

{#- The stays of a time window: each row knows when it leaves. -#}
{% macro _timed_stays(task, run) -%}
{%- set leaves = '__is_in and __expires <= ' ~ run.now -%}
__stays as (
    select {{ strandline._all_quoted(task.columns) | join(', ') }}, entry,
        if({{ leaves }}, entry, null) as exit,
        if(__is_in, __cycle, null) as entered,
        if({{ leaves }}, named_struct('at', timestamp_micros(__expires), 'arrival',
            cast(null as bigint), 'step', array_repeat(0, size(__cycle.step))), null)
            as expelled,
        {{ strandline._stay_end(task) }}
    from (
        select *, {{ strandline._expires(task) }} as __expires
        from (
            {{ strandline._lined_rows(task, run) | indent(12) }}
        )
    )
)
{%- endmacro %}

{#- When a row leaves by time, in microseconds: with `every` at the first of its times. -#}
{% macro _expires(task) %}
    {%- set end = '(__time + ' ~ task.store.size ~ ')' -%}
    {{- return(end if not task.every
        else '(' ~ end ~ ' + pmod(-' ~ end ~ ', ' ~ task.every ~ 'L))') -}}
{% endmacro %}

{#- The stays of a tumbling window: batches of up to N rows of a turn; a batch leaves in the cycle
    in which the next one enters. -#}
{% macro _tumbling_stays(task, run) -%}
{%- set line = 'partition by '
    ~ (strandline._all_quoted(task['keys']) + ['__is_in']) | join(', ') ~ ' order by ' -%}
{%- set n = task.store.count -%}
__stays as (
    select * except (exit), if(expelled is null, null, exit) as exit
    from (
        select {{ strandline._all_quoted(task.columns) | join(', ') }}, entry, entry as exit,
            if(__is_in, __cycle, null) as entered,
            if(__is_in, min(__cycle) over ({{ line }}__batch
                range between 1 following and 1 following), null) as expelled,
            {{ strandline._stay_end(task) }}
        from (
            select * except (__cycle),
                if(__is_old or not __is_in, __cycle, {{ strandline._cycle(
                    '__at', '__cycle_arrival', '__step',
                    '(__row - 1) div ' ~ n) }}) as __cycle,
                sum(if(not __is_old and (__row - 1) % {{ n }} = 0, 1L, 0L)) over (
                    {{ line }}__turn, entry rows unbounded preceding) as __batch
            from (
                select *, row_number() over ({{ line }}__turn, entry)
                    - count(*) over ({{ line }}__turn range between unbounded preceding
                        and 1 preceding) as __row
                from (
                    {{ strandline._lined_rows(task, run) | indent(20) }}
                )
            )
        )
    )
)
{%- endmacro %}

{#- The rows of a folded window, for `adapter.fold_query`: those inside and those that may
    enter. -#}
{% macro _fold_input(task, run) -%}
{%- set store = task.store -%}
with {{ strandline._window_events(task, run) }}
select {{ strandline._all_quoted(task.columns) | join(', ') }}, __time,
    entry as __sequence, __turn, __at, __cycle_arrival, __step, reason,
    __is_in, __is_old, if(__is_old, __cycle, null) as entered,
    {{ strandline._expires(task) if store.size else 'cast(null as bigint)' }} as __expires,
    cast({{ store.max or store.count }} as bigint) as __count,
    {{ strandline._quoted(store.using) if store.using
        else 'cast(null as double)' }} as __value,
    {{ 'to_json(struct(' ~ strandline._all_quoted(task.update_group) | join(', ')
        ~ "), map('ignoreNullFields', 'false'))" if task.update_group
        else 'cast(null as string)' }} as __group
from (
    {{ strandline._lined_rows(task, run) }}
)
where __is_in
{%- endmacro %}

{#- The stays of a folded window: the rows that the fold returned, and those that did not enter or
    wait. -#}
{% macro _folded_stays(task, run) -%}
{%- set columns = strandline._all_quoted(task.columns) | join(', ') -%}
__stays as (
    select {{ columns }}, __sequence as entry, exit, entered, expelled,
        {{ strandline._stay_end(task) | indent(4) }}
    from {{ run.folded }}
    where entered is not null
    union all
    select {{ columns }}, entry, null, null, null,
        {{ strandline._stay_end(task) | indent(4) }}
    from (
        {{ strandline._lined_rows(task, run) | indent(8) }}
    )
    where not __is_in
)
{%- endmacro %}

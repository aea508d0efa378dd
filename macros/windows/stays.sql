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

{#- The CTE `stays`, from `events` and the stored rows that are inside: the columns of the task and
    `entry`, `exit`, `entered`, `expelled`, `reason`, `row_kind`, `window_state`, and `window_is_old` for
    stored rows. -#}
{% macro _stays(task, run) -%}
{%- set kind = task.store.kind -%}
{%- if run.folded -%}{{- strandline._folded_stays(task, run) -}}
{%- elif kind == 'time' -%}{{- strandline._timed_stays(task, run) -}}
{%- elif kind == 'tumbling' -%}{{- strandline._tumbling_stays(task, run) -}}
{%- else -%}{{- strandline._sliding_stays(task, run) -}}
{%- endif -%}
{%- endmacro %}

{#- The events and the stored rows that are inside, in one list; the stored ones have no turn and
    come first. `window_is_in` distinguishes rows that are or will be in the window. -#}
{% macro _lined_rows(task, run) -%}
{%- set accepts = '' -%}
{%- if task.store.kind == 'random' -%}
    {%- set accepts = 'where reason is not null or pmod(xxhash64(' ~ task.store.seed ~ 'L, '
        ~ (task.ordered | join(', ')) ~ '), 2) = 0' -%}
{%- endif -%}
select {{ task.columns | join(', ') }}, window_t, window_seq as entry, window_turn, window_at,
    window_arrival, window_prefix, cast(null as bigint) as window_stored,
    {{ 'window_accepted' if task.weight > 1 else 'cast(null as bigint)' }} as window_accepted,
    {{ strandline._cycle('window_at', 'window_arrival', 'window_prefix') }} as window_cycle,
    reason, reason is null and window_turn is not null as window_is_in, false as window_is_old
from events
{{ accepts }}
{%- if run.is_stored %}
union all
select {{ strandline._stored_columns(task) }}, window_state.t, entry, null, null, null, null,
    window_state.position, null, entered, null, true, true
from {{ run.stored }}
where window_part = 'open' and row_kind = '{{ strandline._stay_kind(task) }}'
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
        {%- do columns.append('window_event.' ~ column ~ ' as ' ~ column
            if task.aggregates and column not in task['keys'] else column) -%}
    {%- endfor -%}
    {{- return(columns | join(', ')) -}}
{% endmacro %}

{#- A cycle as a struct; `prefix` is its step without the last number. -#}
{% macro _cycle(at, arrival, prefix, step='0') -%}
named_struct('at', timestamp_micros({{ at }}), 'arrival', cast({{ arrival }} as bigint), 'step',
    concat({{ prefix }}, array(cast({{ step }} as int))))
{%- endmacro %}

{#- The last columns of `stays`: what the row is, and what the next run needs to know of it. -#}
{% macro _stay_end(task, position='cast(null as bigint)') -%}
reason,
    case when reason is not null then 'late' when not window_is_in then 'pending'
        else '{{ strandline._stay_kind(task) }}' end as row_kind,
    named_struct('t', window_t, 'at', window_at, 'accepted', window_accepted,
        'position', {{ position }}) as window_state,
    window_is_old
{%- endmacro %}

{#- The stays of a time window: each row knows when it leaves. -#}
{% macro _timed_stays(task, run) -%}
{%- set leaves = 'window_is_in and window_expires <= ' ~ run.now -%}
stays as (
    select {{ task.columns | join(', ') }}, entry, if({{ leaves }}, entry, null) as exit,
        if(window_is_in, window_cycle, null) as entered,
        if({{ leaves }}, named_struct('at', timestamp_micros(window_expires), 'arrival',
            cast(null as bigint), 'step', array_repeat(0, size(window_cycle.step))), null) as expelled,
        {{ strandline._stay_end(task) }}
    from (
        select *, {{ strandline._expires(task) }} as window_expires
        from (
            {{ strandline._lined_rows(task, run) | indent(12) }}
        )
    )
)
{%- endmacro %}

{#- When a row leaves by time, in microseconds: with `every` at the first of its times. -#}
{% macro _expires(task) %}
    {%- set end = '(window_t + ' ~ task.store.size ~ ')' -%}
    {{- return(end if not task.every
        else '(' ~ end ~ ' + pmod(-' ~ end ~ ', ' ~ task.every ~ 'L))') -}}
{% endmacro %}

{#- The stays of a sliding window. A turn first fills the free slots in one step; after that, and in
    a full window, each step lets one event in and the oldest row out, which is N places before. -#}
{% macro _sliding_stays(task, run) -%}
{%- set line = 'partition by ' ~ (task['keys'] + ['window_is_in']) | join(', ') ~ ' order by window_turn' -%}
{%- set n = task.store.count -%}
stays as (
    select {{ task.columns | join(', ') }}, entry,
        if(window_is_in, lead(entry, {{ n }}) over ({{ line }}, entry), null) as exit,
        if(window_is_in, window_cycle, null) as entered,
        if(window_is_in, lead(window_cycle, {{ n }}) over ({{ line }}, entry), null) as expelled,
        {{ strandline._stay_end(task, position='window_position') }}
    from (
        select * except (window_cycle),
            if(window_is_old or not window_is_in, window_cycle, {{ strandline._cycle('window_at', 'window_arrival',
                'window_prefix', 'greatest(0, window_position - window_before - greatest('
                ~ n ~ ' - window_before, 1))') }}) as window_cycle
        from (
            select *, window_first + window_row as window_position,
                window_first + count(*) over ({{ line }} range between unbounded preceding
                    and 1 preceding) as window_before
            from (
                select *, row_number() over ({{ line }}, entry) as window_row,
                    coalesce(first_value(window_stored) over ({{ line }}, entry
                        rows unbounded preceding), 1) - 1 as window_first
                from (
                    {{ strandline._lined_rows(task, run) | indent(20) }}
                )
            )
        )
    )
)
{%- endmacro %}

{#- The stays of a tumbling window: batches of up to N rows of a turn; a batch leaves in the cycle
    in which the next one enters. -#}
{% macro _tumbling_stays(task, run) -%}
{%- set line = 'partition by ' ~ (task['keys'] + ['window_is_in']) | join(', ') ~ ' order by ' -%}
{%- set n = task.store.count -%}
stays as (
    select * except (exit), if(expelled is null, null, exit) as exit
    from (
        select {{ task.columns | join(', ') }}, entry, entry as exit,
            if(window_is_in, window_cycle, null) as entered,
            if(window_is_in, min(window_cycle) over ({{ line }}window_batch range between 1 following
                and 1 following), null) as expelled,
            {{ strandline._stay_end(task) }}
        from (
            select * except (window_cycle),
                if(window_is_old or not window_is_in, window_cycle, {{ strandline._cycle('window_at', 'window_arrival',
                    'window_prefix', '(window_row - 1) div ' ~ n) }}) as window_cycle,
                sum(if(not window_is_old and (window_row - 1) % {{ n }} = 0, 1L, 0L)) over (
                    {{ line }}window_turn, entry rows unbounded preceding) as window_batch
            from (
                select *, row_number() over ({{ line }}window_turn, entry)
                    - count(*) over ({{ line }}window_turn range between unbounded preceding
                        and 1 preceding) as window_row
                from (
                    {{ strandline._lined_rows(task, run) | indent(20) }}
                )
            )
        )
    )
)
{%- endmacro %}

{#- The rows of a folded window, for `adapter.fold_query`: those inside and those that may enter. -#}
{% macro _fold_input(task, run) -%}
{%- set store = task.store -%}
with {{ strandline._window_events(task, run) }}
select {{ task.columns | join(', ') }}, window_t, entry as window_seq, window_turn, window_at,
    window_arrival as window_cycle_arrival, window_prefix as window_step, window_accepted, reason,
    window_is_in, window_is_old, if(window_is_old, window_cycle, null) as entered,
    {{ strandline._expires(task) if store.size else 'cast(null as bigint)' }} as window_expires,
    cast({{ store.max or store.count }} as bigint) as window_count,
    {{ store.using or 'cast(null as double)' }} as window_value,
    {{ 'to_json(struct(' ~ task.update_group | join(', ')
        ~ "), map('ignoreNullFields', 'false'))" if task.update_group
        else 'cast(null as string)' }} as window_group
from (
    {{ strandline._lined_rows(task, run) }}
)
where window_is_in
{%- endmacro %}

{#- The stays of a folded window: the rows that the fold returned, and those that did not enter or
    wait. -#}
{% macro _folded_stays(task, run) -%}
{%- set columns = task.columns | join(', ') -%}
stays as (
    select {{ columns }}, window_seq as entry, exit, entered, expelled,
        {{ strandline._stay_end(task) | indent(4) }}
    from {{ run.folded }}
    where entered is not null
    union all
    select {{ columns }}, entry, null, null, null,
        {{ strandline._stay_end(task) | indent(4) }}
    from (
        {{ strandline._lined_rows(task, run) | indent(8) }}
    )
    where not window_is_in
)
{%- endmacro %}

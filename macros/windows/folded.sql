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

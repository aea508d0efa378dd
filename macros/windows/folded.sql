{#- The rows of a folded window, for `adapter.fold_query`: those inside and those that may
    enter. -#}
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

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
            if(window_is_in, min(window_cycle) over ({{ line }}window_batch
                range between 1 following and 1 following), null) as expelled,
            {{ strandline._stay_end(task) }}
        from (
            select * except (window_cycle),
                if(window_is_old or not window_is_in, window_cycle, {{ strandline._cycle(
                    'window_at', 'window_arrival', 'window_prefix',
                    '(window_row - 1) div ' ~ n) }}) as window_cycle,
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

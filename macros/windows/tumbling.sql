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

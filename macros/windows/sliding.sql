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

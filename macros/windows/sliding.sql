{#- The stays of a sliding window. A turn first fills the free slots in one step; after that, and in
    a full window, each step lets one event in and the oldest row out, which is N places before. -#}
{% macro _sliding_stays(task, run) -%}
{%- set line = 'partition by ' ~ (task['keys'] + ['window_is_in']) | join(', ')
    ~ ' order by window_turn' -%}
{%- set n = task.store.count -%}
stays as (
    select {{ task.columns | join(', ') }}, entry,
        if(window_is_in, lead(entry, {{ n }}) over ({{ line }}, entry), null) as exit,
        if(window_is_in, window_cycle, null) as entered,
        if(window_is_in, lead(window_cycle, {{ n }}) over ({{ line }}, entry), null) as expelled,
        {{ strandline._stay_end(task, position='window_position') }}
    from (
        select * except (window_cycle),
            if(window_is_old or not window_is_in, window_cycle, {{ strandline._cycle(
                'window_at', 'window_arrival', 'window_prefix',
                'greatest(0, window_position - window_before - greatest(' ~ n
                ~ ' - window_before, 1))') }}) as window_cycle
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

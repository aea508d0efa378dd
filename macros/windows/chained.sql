{#- The rows of another window that became new or dead since the last run, as events. -#}
{% macro _chained_events(task, run) -%}
{%- set cycle, place = ('entered', 'entry') if task.status == 'new' else ('expelled', 'exit') -%}
arrived as (
    select {{ task.columns | join(', ') }}, {{ cycle }} as cycle, {{ place }} as place
    from {{ task.upstream }}
    where row_kind = 'row' and {{ cycle }} <= {{ run.last }}
        and {{ strandline._is_unread(cycle, run.first) }}
),

ranges as (
    select window_range,
        coalesce(sum(events) over (
            order by window_range rows between unbounded preceding and 1 preceding
        ), 0) + {{ run.events }} as events
    from (
        select {{ strandline._cycle_range(run) }} as window_range, count(*) as events
        from arrived
        group by 1
    )
),

placed as (
    select *, rank() over (partition by window_range order by cycle) as window_rank,
        row_number() over (partition by window_range order by {{
            (['cycle', 'place'] + task.ordered) | join(', ') }}) as window_place
    from (select *, {{ strandline._cycle_range(run) }} as window_range from arrived)
),

events as (
    select *, {{ strandline._reason(task) }} as reason
    from (
        select /*+ broadcast(ranges) */
            {{ task.columns | join(', ') }}, unix_micros(cycle.at) as window_t,
            events + window_place as window_seq, events + window_rank as window_turn,
            unix_micros(cycle.at) as window_at, cycle.arrival as window_arrival,
            cycle.step as window_prefix
        from placed
        inner join ranges on placed.window_range = ranges.window_range
        where coalesce({{ '(' ~ task.where ~ ')' if task.where else 'true' }}, false)
    )
)
{%- endmacro %}

{#- The range of a cycle by its time: up to 257 ranges for all cycles of a run. -#}
{% macro _cycle_range(run) %}
    {{- return('(unix_micros(cycle.at) - ' ~ run.earliest ~ 'L) div ' ~ run.width ~ 'L') -}}
{% endmacro %}

{#- The rows of another window that became new or dead since the last run, as events. -#}
{% macro _chained_events(task, run) -%}
{%- set cycle, place = ('entered', 'entry') if task.status == 'new' else ('expelled', 'exit') -%}
{%- set columns = strandline._all_quoted(task.columns) | join(', ') -%}
__arrived as (
    select {{ columns }}, {{ cycle }} as __cycle, {{ place }} as __place,
        {{ strandline._is_accepted(task) }} as __accepts
    from {{ task.upstream }}
    where row_kind = 'row' and {{ cycle }} <= {{ run.last }}
        and {{ strandline._is_unread(cycle, run.first) }}
),

__ranges as (
    select __range,
        coalesce(sum(__count) over (
            order by __range rows between unbounded preceding and 1 preceding
        ), 0) + {{ run.events }} as __count
    from (
        select {{ strandline._cycle_range(run) }} as __range, count(*) as __count
        from __arrived
        group by 1
    )
),

__placed as (
    select * except (__place), rank() over (partition by __range order by __cycle) as __rank,
        row_number() over (partition by __range order by {{ (['__cycle', '__place']
            + strandline._all_quoted(task.ordered)) | join(', ') }}) as __place
    from (select *, {{ strandline._cycle_range(run) }} as __range from __arrived)
),

__events as (
    select *, {{ strandline._reason(task) }} as reason
    from (
        select /*+ broadcast(__ranges) */
            {{ columns }}, unix_micros(__cycle.at) as __time,
            __count + __place as __sequence, __count + __rank as __turn,
            unix_micros(__cycle.at) as __at, __cycle.arrival as __cycle_arrival,
            __cycle.step as __step
        from __placed
        inner join __ranges on __placed.__range = __ranges.__range
        where __accepts
    )
)
{%- endmacro %}

{#- The range of a cycle by its time: up to 257 ranges for all cycles of a run, after one for those
    before the clock has a time. -#}
{% macro _cycle_range(run) %}
    {{- return('coalesce((unix_micros(__cycle.at) - ' ~ run.earliest ~ 'L) div ' ~ run.width
        ~ 'L, -1L)') -}}
{% endmacro %}

{#- The new events of a run in their order, with the clock and the cycle of each: the columns of the
    task and

    window_t        the time of the event in microseconds
    window_seq      its number in the order of arrival: `entry`
    window_turn     events of one turn enter together; turns are in order
    window_at, window_arrival, window_prefix   the cycle; null while it is not known
    window_accepted its number among the accepted events, with `weight`
    reason          why it never enters, or null

    A running maximum and a running count over all events are computed in up to 257 ranges of
    arrival numbers, so that no task sees them all. -#}
{% macro _arrivals(task, run) -%}
{%- set width = (run.last - run.first) // 256 + 1 -%}
{%- set order = 'partition by window_range order by '
    ~ (['window_no', 'window_t'] + task.ordered) | join(', ') -%}
{%- set before = 'partition by placed.window_range order by window_no range between unbounded '
    ~ 'preceding and ' -%}
arrived as (
    select
        {{ task.columns | join(', ') }},
        cast({{ task.arrival }} as bigint) as window_no,
        unix_micros({{ task.ts }}) as window_t,
        unix_micros({{ task.clock }}) as window_clock,
        coalesce({{ '(' ~ task.where ~ ')' if task.where else 'true' }}, false) as window_accepts,
        (cast({{ task.arrival }} as bigint) - {{ run.first }}) div {{ width }} as window_range
    from {{ task.upstream }}
    where {{ task.arrival }} >= {{ run.first }} and {{ task.arrival }} <= {{ run.last }}
),

ranges as (
    select
        window_range,
        max(newest) over preceding as newest,
        coalesce(sum(events) over preceding, 0) + {{ run.events }} as events,
        coalesce(sum(accepted) over preceding, 0) + {{ run.accepted }} as accepted
    from (
        select window_range, max(window_clock) as newest, count(*) as events,
            count_if(window_accepts) as accepted
        from arrived
        group by window_range
    )
    window preceding as (
        order by window_range rows between unbounded preceding and 1 preceding
    )
),

placed as (
    select
        *,
        row_number() over ({{ order }}) as window_place
        {%- if task.weight > 1 %},
        count_if(window_accepts) over ({{ order }} rows unbounded preceding) as window_count
        {%- endif %}
    from arrived
),

clocked as (
    select /*+ broadcast(ranges) */
        placed.*,
        events + window_place as window_seq,
        {%- if task.weight > 1 %}
        accepted + window_count as window_accepted,
        {%- endif %}
        {%- for name, last in [['window_at', 'current row'], ['window_was', '1 preceding']] %}
        greatest({{ 'null' if run.clock is none else run.clock ~ 'L' }}, newest,
            max(window_clock) over ({{ before ~ last }})) as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from placed
    inner join ranges on placed.window_range = ranges.window_range
)
{%- endmacro %}

{#- The CTEs that end in `events`: the new events and those that waited for their cycle. -#}
{% macro _window_events(task, run) -%}
{%- if run.staged -%}{{- return('events as (select * from ' ~ run.staged ~ ')') -}}{%- endif -%}
{%- if task.status -%}{{- return(strandline._chained_events(task, run)) -}}{%- endif -%}
{%- set columns = task.columns | join(', ') -%}
{{ strandline._arrivals(task, run) }},

waiting as (
    select {{ columns }}, window_t, window_seq, window_no, window_at,
        if(window_at > window_was or window_was is null, null, window_no) as window_arrival
        {%- if task.weight > 1 %}, window_accepted{% endif %}
    from clocked
    where window_accepts
    {%- if run.is_stored and (task.weight > 1 or task.every) %}
    union all
    select {{ strandline._stored_columns(task) }}, window_state.t, entry, null,
        window_state.at, null
        {%- if task.weight > 1 %}, window_state.accepted{% endif %}
    from {{ run.stored }}
    where window_part = 'open' and row_kind = 'pending'
    {%- endif %}
),

events as (
    select *, {{ strandline._reason(task) }} as reason
    from (
        {{ strandline._turns(task, run, columns) | indent(8) }}
    )
)
{%- endmacro %}

{#- The turn and the cycle of the waiting events. Without `weight` and `every` it is that of their
    arrival. -#}
{% macro _turns(task, run, columns) -%}
{%- if task.every -%}
{%- set tick = 'window_at - pmod(window_at, ' ~ task.every ~ 'L) + ' ~ task.every ~ 'L' -%}
select {{ columns }}, window_t, window_seq, if(tick <= {{ run.now }}, tick, null) as window_turn,
    if(tick <= {{ run.now }}, tick, window_at) as window_at, null as window_arrival,
    cast(array() as array<int>) as window_prefix
from (select *, {{ tick }} as tick from waiting)
{%- elif task.weight > 1 -%}
select {{ columns }}, window_t, window_seq, window_accepted, trigger.no as window_turn,
    coalesce(trigger.at, window_at) as window_at, trigger.arrival as window_arrival,
    cast(array() as array<int>) as window_prefix
from (
    select *, max(if(window_accepted % {{ task.weight }} = 0, struct(window_no as no,
        window_at as at, window_arrival as arrival), null))
        over (partition by (window_accepted - 1) div {{ task.weight }}) as trigger
    from waiting
)
{%- else -%}
select {{ columns }}, window_t, window_seq, window_no as window_turn, window_at, window_arrival,
    cast(array() as array<int>) as window_prefix
from waiting
{%- endif -%}
{%- endmacro %}

{#- Why an event never enters, or null. An event that waits for its cycle has none yet. -#}
{% macro _reason(task) -%}
{%- set store = task.store -%}
case
        when window_turn is null then null
        {%- if store.kind == 'time' %}
        when window_t is null then 'no time: the time of the event is null'
        {%- endif %}
        {%- if store.by_key %}
        when coalesce({{ store.size or store.count }}, 0) < 1
            then 'size: the size of the window is null or not above zero'
        {%- endif %}
        {%- if store.kind == 'time' %}
        when window_at - window_t >= {{ store.size }}
            then 'late: the event is as old as the window or older'
        {%- endif %}
        {%- if store.using %}
        when {{ store.using }} is null then 'value: {{ store.using }} is null'
        {%- endif %}
    end
{%- endmacro %}

{#- The new events of a run in their order, with the clock and the cycle of each: the columns of the
    task and

    __time        the time of the event in microseconds
    __sequence    its number in the order of arrival: `entry`
    __turn        events of one turn enter together; turns are in order
    __at, __cycle_arrival, __step   the cycle; null while it is not known
    __accepted    the pending units after its arrival, with `weight` (weights.sql)
    __is_future   whether its time is after `not_after`
    reason        why it never enters, or null

    A running maximum and a running count over all events are computed in up to 257 ranges of
    arrival numbers, so that no task sees them all. -#}
{% macro _arrivals(task, run) -%}
{%- set width = (run.last - run.first) // 256 + 1 -%}
{%- set arrival = strandline._quoted(task.arrival) -%}
{%- set order = 'partition by __range order by '
    ~ (['__arrival', '__time'] + strandline._all_quoted(task.ordered)) | join(', ') -%}
{%- set before = 'partition by __placed.__range order by __arrival range between unbounded '
    ~ 'preceding and ' -%}
__arrived as (
    select
        {{ strandline._all_quoted(task.columns) | join(', ') }},
        cast({{ arrival }} as bigint) as __arrival,
        unix_micros({{ strandline._quoted(task.ts) }}) as __time,
        {{ strandline._window_clock(task) }} as __clock,
        {{ strandline._is_accepted(task) }} as __accepts,
        {{ strandline._is_after_bound(task) }} as __is_future,
        {%- if task.weights %}
        {{ strandline._event_units(task) }} as __units,
        {%- endif %}
        (cast({{ arrival }} as bigint) - {{ run.first }}) div {{ width }} as __range
    from {{ task.upstream }}
    where {{ arrival }} >= {{ run.first }} and {{ arrival }} <= {{ run.last }}
),

__ranges as (
    select
        __range,
        max(__newest) over __preceding as __newest,
        coalesce(sum(__count) over __preceding, 0) + {{ run.events }} as __count
    from (
        select __range, max(__clock) as __newest, count(*) as __count
        from __arrived
        group by __range
    )
    window __preceding as (
        order by __range rows between unbounded preceding and 1 preceding
    )
),

__placed as (
    select *, row_number() over ({{ order }}) as __place
    from __arrived
),

__clocked as (
    select /*+ broadcast(__ranges) */
        __placed.*,
        __count + __place as __sequence,
        {%- for name, last in [['__at', 'current row'], ['__previous_clock', '1 preceding']] %}
        greatest({{ 'null' if run.clock is none else run.clock ~ 'L' }}, __newest,
            max(__clock) over ({{ before ~ last }})) as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from __placed
    inner join __ranges on __placed.__range = __ranges.__range
)
{%- endmacro %}

{#- The clock of an event of the source in microseconds; null if the event moves no clock. These do
    not: an event whose time is after `not_after`; and one that `where` rejects, if `where` reads a
    time (`_reads_time`). Other filters choose events, and do not say that a time is wrong: windows
    over one table share its clock, or a correlation would wait for the one whose events are
    rare. -#}
{% macro _window_clock(task) %}
    {%- set conditions = [] -%}
    {%- if task.not_after is not none -%}
        {%- do conditions.append('not ' ~ strandline._is_after_bound(task)) -%}
    {%- endif -%}
    {%- if strandline._reads_time(task) -%}
        {%- do conditions.append(strandline._is_accepted(task)) -%}
    {%- endif -%}
    {%- set clock = 'unix_micros(' ~ strandline._quoted(task.clock) ~ ')' -%}
    {{- return('if(' ~ conditions | join(' and ') ~ ', ' ~ clock ~ ', null)' if conditions
        else clock) -}}
{% endmacro %}

{#- Whether `where` reads the column of `ts` or of `clock`. -#}
{% macro _reads_time(task) %}
    {%- set text = modules.re.sub("'[^']*'", "''", task.where or '') | lower -%}
    {%- for column in [task.ts, task.clock] | unique
        if modules.re.search('(?<!\\w)' ~ modules.re.escape(column) ~ '(?!\\w)', text) -%}
        {{- return(true) -}}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}

{#- Whether `where` accepts a row; a condition that is null does not. -#}
{% macro _is_accepted(task) %}
    {{- return('coalesce((' ~ task.where ~ '\n), false)' if task.where else 'true') -}}
{% endmacro %}

{#- Whether the time of an event, or its clock, is after the latest one that `not_after` allows. A
    null sets no limit. -#}
{% macro _is_after_bound(task) %}
    {%- if task.not_after is none -%}{{- return('false') -}}{%- endif -%}
    {%- set conditions = [] -%}
    {%- for column in [task.ts, task.clock] | unique -%}
        {%- do conditions.append('coalesce(' ~ strandline._quoted(column) ~ ' > ('
            ~ task.not_after ~ '\n), false)') -%}
    {%- endfor -%}
    {{- return('(' ~ conditions | join(' or ') ~ ')') -}}
{% endmacro %}

{#- The CTEs that end in `__events`: the new events and those that waited for their cycle. -#}
{% macro _window_events(task, run) -%}
{%- if run.staged -%}
{{- return('__events as (select * from ' ~ run.staged ~ ')') -}}
{%- endif -%}
{%- if task.status -%}{{- return(strandline._chained_events(task, run)) -}}{%- endif -%}
{%- set columns = strandline._all_quoted(task.columns) | join(', ') -%}
{%- set is_weighed = strandline._is_weighed(task) -%}
{{ strandline._arrivals(task, run) }},

{%- if is_weighed %}

{{ strandline._weighed(task, run) }},
{%- endif %}

__waiting as (
    select {{ columns }}, __time, __sequence, __arrival, __at,
        if(__at > __previous_clock or (__previous_clock is null and __at is not null), null,
            __arrival) as __cycle_arrival, __is_future
        {%- if is_weighed %}, __accepts, __accepted, __group{% endif %}
    from {{ '__weighed' if is_weighed else '__clocked' }}
    where {{ strandline._is_waiting(task) }}
    {%- if run.is_stored and (is_weighed or task.every) %}
    union all
    select {{ strandline._stored_columns(task) }}, window_state.t, entry, null,
        window_state.at, null, false
        {%- if is_weighed %}, true, {{ run.accepted }}L, {{ run.accepted }}L div {{
            strandline._whole_weight(task) }}{% endif %}
    from {{ run.stored }}
    where window_part = 'open' and row_kind = 'pending'
    {%- endif %}
),

__events as (
    select *, {{ strandline._reason(task) }} as reason
    from (
        {{ strandline._turns(task, run, columns) | indent(8) }}
    )
)
{%- endmacro %}

{#- The turn and the cycle of the waiting events. Without `weight` and `every` it is that of their
    arrival. An event of the future waits for none. -#}
{% macro _turns(task, run, columns) -%}
{%- if task.every -%}
select {{ columns }}, __time, __sequence, __is_future,
    if(__tick <= {{ run.now }}, __tick, null) as __turn,
    if(__tick <= {{ run.now }}, __tick, __at) as __at, null as __cycle_arrival,
    cast(array() as array<int>) as __step
from (
    select *, if(__is_future, null, __at - pmod(__at, {{ task.every }}L) + {{ task.every }}L)
        as __tick
    from __waiting
)
{%- elif strandline._is_weighed(task) -%}
select {{ columns }}, __time, __sequence, __is_future, __accepts, __accepted,
    __trigger.no as __turn, coalesce(__trigger.at, __at) as __at,
    __trigger.arrival as __cycle_arrival, cast(array() as array<int>) as __step
from (
    select *, max(if(__accepted div {{ strandline._whole_weight(task) }} > __group,
        struct(__arrival as no, __at as at, __cycle_arrival as arrival), null))
        over (partition by __group) as __trigger
    from __waiting
)
{%- else -%}
select {{ columns }}, __time, __sequence, __is_future, __arrival as __turn, __at, __cycle_arrival,
    cast(array() as array<int>) as __step
from __waiting
{%- endif -%}
{%- endmacro %}

{#- Why an event never enters, or null. An event that waits for its cycle has none yet. -#}
{% macro _reason(task) -%}
{%- set store = task.store -%}
case
        {%- if not task.status and task.not_after is not none %}
        when __is_future then {{ strandline._literal('from the future: '
            ~ [task.ts, task.clock] | unique | join(' or ') ~ ' is after ' ~ task.not_after) }}
        {%- endif %}
        when __turn is null then null
        {%- if store.kind == 'time' %}
        when __time is null then 'no time: the time of the event is null'
        {%- endif %}
        {%- if store.by_key %}
        when coalesce({{ store.size or store.count }}, 0) < 1
            then 'size: the size of the window is null or not above zero'
        {%- endif %}
        {%- if store.kind == 'time' %}
        when __at - __time >= {{ store.size }}
            then 'late: the event is as old as the window or older'
        {%- endif %}
        {%- if store.using %}
        when {{ strandline._quoted(store.using) }} is null
            then {{ strandline._literal('value: ' ~ store.using ~ ' is null') }}
        {%- endif %}
    end
{%- endmacro %}

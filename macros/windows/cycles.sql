{#- The new events of a run in their order, with the clock and the cycle of each: the columns of the
    task and

    __time        the time of the event in microseconds
    __sequence    its number in the order of arrival: `entry`
    __turn        events of one turn enter together; turns are in order
    __at, __cycle_arrival, __step   the cycle; null while it is not known
    __accepted    the pending units after its arrival, with `weight`
    __is_future   whether its time is after `not_after`
    reason        why it never enters, or null

    A running maximum and a running count over all events are computed in up to 257 ranges of
    arrival numbers, so that no task sees them all. -#}
{% macro _arrivals(task, run) -%}
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
        (cast({{ arrival }} as bigint) - {{ run.first }}) div {{ run.width }} as __range
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
    from (
        select * except (__at),
            if(__is_future, __at, coalesce(__at, {{ strandline._first_clock(run) }})) as __at
        from __waiting
    )
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

{#- The time of the clock for which the events wait that were read before it had one: its first in
    this run, of an event or of `strandline_as_of`. A table of 0.1.0 may have such events although
    it has a clock: for them it is that. -#}
{% macro _first_clock(run) %}
    {%- if run.clock is not none -%}{{- return(run.clock ~ 'L') -}}{%- endif -%}
    {%- set as_of = strandline._as_of() -%}
    {{- return('(select max_by(__clock, struct(-__arrival, __clock)) from __arrived'
        ~ ' where __clock is not null)' ~ ('' if as_of is none else ', ' ~ as_of ~ 'L')) -}}
{% endmacro %}

{#- Why an event never enters, or null. An event that waits for its cycle has none yet. -#}
{% macro _reason(task) -%}
{%- set store = task.store -%}
cast(case
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
    end as string)
{%- endmacro %}

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
    {{- return('coalesce((unix_micros(__cycle.at) - ' ~ run.earliest ~ ') div ' ~ run.width
        ~ ', -1L)') -}}
{% endmacro %}

{#- The CTE `__weighed`: `__clocked` with the pending units after the arrival of each event,
    `__accepted`, and the number of the cycle for which it waits, `__group`. Both are null for an
    event of the future, which waits for none. With a number each accepted event is one unit; with
    weights by condition an event has `_event_units`. A cycle happens at each multiple of
    `_whole_weight`, the units that weigh 1.

    Events of one arrival are pending together. If the pending events and those of an arrival reach
    a multiple, the query runs and consumes all of them: no number goes beyond it. So the number
    before an arrival depends on all arrivals before it, and is not a plain sum. It is computed in
    three levels, so that no task sees all arrivals: for each rest of the whole (the units that may
    be pending) a block and a range know what they add.

    __batches    the units of each arrival
    __blocks     64 arrivals, with what they add
    __portions   the blocks of a range of arrival numbers, with what they add
    __starts     the number before each range
    __bases      the number before each arrival -#}
{% macro _weighed(task, run) -%}
{%- set whole = strandline._whole_weight(task) -%}
{%- set added = strandline._added_by('__item.__count', whole) -%}
{%- set portion = '__item.__adds[cast(__number % ' ~ whole ~ ' as int)]' -%}
{%- set batch = '__arrival: bigint, __count: bigint' -%}
__batches as (
    select __range, __arrival, {{ 'sum(__units)' if task.weights else 'count(*)' }} as __count
    from __clocked
    where not __is_future and {{ strandline._is_waiting(task) }}
    group by __range, __arrival
),

__blocks as (
    select *, {{ strandline._adds('__items', added, whole) }} as __adds
    from (
        select __range, __block, array_sort(collect_list(struct(__arrival, __count))) as __items
        from (
            select *, (row_number() over (partition by __range order by __arrival) - 1) div 64
                as __block
            from __batches
        )
        group by __range, __block
    )
),

__portions as (
    select *, {{ strandline._adds('__items', portion, whole) }} as __adds
    from (
        select __range, array_sort(collect_list(struct(__block, __adds, __items))) as __items
        from __blocks
        group by __range
    )
),

__starts as (
    select __each.item.__range as __range, __each.number as __number
    from (
        select explode({{ strandline._numbers_before(
            'array_sort(collect_list(struct(__range, __adds)))', run.accepted ~ 'L',
            '__range: bigint, __adds: array<bigint>', portion) }}) as __each
        from __portions
    )
),

__bases as (
    select __range, __each.item.__arrival as __arrival, __each.number as __base,
        __each.number + {{ strandline._added_by('__each.item.__count', whole)
            .replace('__number', '__each.number') }} as __accepted
    from (
        select __range, explode({{ strandline._numbers_before('__each.item.__items',
            '__each.number', batch, added) }}) as __each
        from (
            select /*+ broadcast(__starts) */ __portions.__range as __range,
                explode({{ strandline._numbers_before('__portions.__items',
                    '__starts.__number', '__block: bigint, __adds: array<bigint>, '
                    ~ '__items: array<struct<' ~ batch ~ '>>', portion) }}) as __each
            from __portions
            inner join __starts on __portions.__range = __starts.__range
        )
    )
),

__weighed as (
    select __clocked.*,
        if(__is_future, null, __accepted) as __accepted,
        if(__is_future, null, __base div {{ whole }}) as __group
    from __clocked
    left join __bases on __clocked.__range = __bases.__range
        and __clocked.__arrival = __bases.__arrival
)
{%- endmacro %}

{#- Reads `weight`: the number of events of a cycle, and the weights by condition as pairs, in the
    order of the mapping; [1, none] without weights. Appends faults. -#}
{% macro _read_weight(weight, faults) %}
    {%- if weight is none -%}{{- return([1, none]) -}}{%- endif -%}
    {%- if weight is mapping -%}
        {{- return([1, strandline._read_weights(weight, faults)]) -}}
    {%- endif -%}
    {%- if not strandline._is_weight(weight) -%}
        {%- do faults.append("`weight` is '" ~ weight ~ "'; write a number above 0 and up to 1: "
            ~ "with 0.2 five events make a cycle; or, for windows that are weighed together, "
            ~ strandline._weights_form()) -%}
        {{- return([1, none]) -}}
    {%- endif -%}
    {{- return([(0.999999999 / weight) | round(0, 'ceil') | int, none]) -}}
{% endmacro %}

{% macro _read_weights(weights, faults) %}
    {%- set read = [] -%}
    {%- if not weights -%}
        {%- do faults.append("`weight` is an empty mapping; write "
            ~ strandline._weights_form()) -%}
    {%- endif -%}
    {%- for condition, weight in weights.items() -%}
        {%- if condition is not string or not condition | trim -%}
            {%- do faults.append("`weight` has the condition '" ~ condition ~ "'; write SQL over "
                ~ "the columns of the source, such as kind = 'trade', or true for all others") -%}
        {%- elif not strandline._is_weight(weight)
            or (weight * 1000 - strandline._thousandths(weight)) | abs > 0.000001 -%}
            {%- do faults.append("`weight` has '" ~ weight ~ "' for the condition " ~ condition
                ~ "; write a number above 0 and up to 1, with at most three decimals: 0.2, or "
                ~ "0.333; an event that meets no condition has no weight") -%}
        {%- else -%}
            {%- do read.append([condition | trim, weight]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{% macro _is_weight(weight) %}
    {{- return(weight is number and weight is not boolean and 0 < weight <= 1) -}}
{% endmacro %}

{#- The form of weights by condition, for messages. -#}
{% macro _weights_form() %}
    {{- return("a mapping of conditions to weights, such as {\"kind = 'quote'\": 0.2, "
        ~ "\"kind = 'trade'\": 1}") -}}
{% endmacro %}

{#- Whether events wait until their weights reach 1. -#}
{% macro _is_weighed(task) %}
    {{- return(task.weight > 1 or task.weights is not none) -}}
{% endmacro %}

{#- The units that weigh 1: with a number the events of a cycle; with weights by condition their
    least common denominator. They have at most three decimals, so it divides 1000. -#}
{% macro _whole_weight(task) %}
    {%- if task.weights is none -%}{{- return(task.weight) -}}{%- endif -%}
    {%- for whole in [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500, 1000] -%}
        {%- set broken = [] -%}
        {%- for _, weight in task.weights if strandline._thousandths(weight) * whole % 1000 -%}
            {%- do broken.append(weight) -%}
        {%- endfor -%}
        {%- if not broken -%}{{- return(whole) -}}{%- endif -%}
    {%- endfor -%}
{% endmacro %}

{% macro _thousandths(weight) %}
    {{- return((weight * 1000) | round | int) -}}
{% endmacro %}

{#- The units of an event by the first condition that it meets; none of them: 0. -#}
{% macro _event_units(task) %}
    {%- set whole, cases = strandline._whole_weight(task), [] -%}
    {%- for condition, weight in task.weights -%}
        {%- do cases.append('when (' ~ condition ~ '\n) then '
            ~ strandline._thousandths(weight) * whole // 1000 ~ 'L') -%}
    {%- endfor -%}
    {{- return('case ' ~ cases | join(' ') ~ ' else 0L end') -}}
{% endmacro %}

{#- Whether an event of `__clocked` waits for a cycle: in this window, or with weights by condition
    in another one of the group. -#}
{% macro _is_waiting(task) %}
    {{- return('(__accepts or __units > 0)' if task.weights else '__accepts') -}}
{% endmacro %}

{#- What an arrival of so many units adds to the number before it. -#}
{% macro _added_by(count, whole) %}
    {%- set rest = '__number % ' ~ whole -%}
    {{- return('least(' ~ count ~ ', ' ~ whole ~ 'L - ' ~ rest ~ ')') -}}
{% endmacro %}

{#- What items add in their order, for each number of pending units before them. -#}
{% macro _adds(items, added, whole) %}
    {{- return('transform(sequence(0L, ' ~ (whole - 1) ~ 'L), __first -> aggregate(' ~ items
        ~ ', __first, (__number, __item) -> __number + ' ~ added ~ ') - __first)') -}}
{% endmacro %}

{#- Each item of an array with the number before it. -#}
{% macro _numbers_before(items, first, fields, added) %}
    {{- return('aggregate(' ~ items ~ ", named_struct('number', " ~ first ~ ", 'found', "
        ~ 'cast(array() as array<struct<item: struct<' ~ fields ~ '>, number: bigint>>)), '
        ~ "(__sofar, __item) -> named_struct('number', __sofar.number + "
        ~ added.replace('__number', '__sofar.number') ~ ", 'found', concat(__sofar.found, "
        ~ "array(named_struct('item', __item, 'number', __sofar.number)))), "
        ~ '__sofar -> __sofar.found)') -}}
{% endmacro %}

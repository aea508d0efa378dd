{#- The CTE `__weighed`: `__clocked` with `__accepted`, the number of each accepted event, where a
    cycle happens at each multiple of `weight` (the number of events whose weights reach 1).

    Events of one arrival are pending together. If the pending events and those of an arrival reach
    a multiple, the query runs and consumes all of them: no number goes beyond it. So the number
    before an arrival depends on all arrivals before it, and is not a plain sum. It is computed in
    three levels, so that no task sees all arrivals: for each rest of `weight` (the events that may
    be pending) a block and a range know what they add.

    __batches    the accepted events of each arrival
    __blocks     64 arrivals, with what they add
    __portions   the blocks of a range of arrival numbers, with what they add
    __starts     the number before each range
    __bases      the number before each arrival -#}
{% macro _weighed(task, run) -%}
{%- set weight = task.weight -%}
{%- set added = strandline._added_by('__item.__count', weight) -%}
{%- set portion = '__item.__adds[cast(__number % ' ~ weight ~ ' as int)]' -%}
{%- set batch = '__arrival: bigint, __count: bigint' -%}
__batches as (
    select __range, __arrival, count_if(__accepts and not __is_future) as __count
    from __clocked
    group by __range, __arrival
    having count_if(__accepts and not __is_future) > 0
),

__blocks as (
    select *, {{ strandline._adds('__items', added, weight) }} as __adds
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
    select *, {{ strandline._adds('__items', portion, weight) }} as __adds
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
    select __range, __each.item.__arrival as __arrival, __each.number as __base
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
        if(__accepts and not __is_future, least(
            __base + count_if(__accepts and not __is_future) over (
                partition by __clocked.__range, __clocked.__arrival order by __sequence
                rows unbounded preceding),
            __base - __base % {{ weight }} + {{ weight }}), null) as __accepted
    from __clocked
    left join __bases on __clocked.__range = __bases.__range
        and __clocked.__arrival = __bases.__arrival
)
{%- endmacro %}

{#- What an arrival of so many events adds to the number before it. -#}
{% macro _added_by(count, weight) %}
    {%- set rest = '__number % ' ~ weight -%}
    {{- return('least(' ~ count ~ ', ' ~ weight ~ 'L - ' ~ rest ~ ')') -}}
{% endmacro %}

{#- What items add in their order, for each number of pending events before them. -#}
{% macro _adds(items, added, weight) %}
    {{- return('transform(sequence(0L, ' ~ (weight - 1) ~ 'L), __first -> aggregate(' ~ items
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

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

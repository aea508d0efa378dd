{#- The query of what happens to each id in a run, in its order: the rows in which a pattern fires
    (`fires` is its number), and the last row of each id that is still in a window.

    phases     the rows of an id that leave (phase 0) or enter (1) in one cycle; phase -1 is what
               was inside at the watermark
    counted    the streams in which the id is present after each, as bits
    lives      a life of an id ends when it is in no window any more
    watched    for each delayed pattern, whether it is on the watch list
    chosen     the pattern that would fire -#}
{% macro _correlation_changes(task, run) -%}
{%- set order = 'order by cycle.at, cycle.arrival, cycle.step, phase' -%}
{%- set id, life = ['partition by correlation_id ' ~ order,
    'partition by correlation_id, life_number ' ~ order] -%}
{%- set before = ' rows between unbounded preceding and 1 preceding' -%}
with {{ strandline._correlated_stays(task, run) }},

phases as (
    select correlation_id, cycle, phase, min(place) as place, max(life) as life,
        {%- for stream in task.streams %}
        sum(if(stream = {{ loop.index0 }}, delta, 0)) as moved_{{ loop.index0 }},
        {%- endfor %}
        bit_or(if(phase = 1, shiftleft(1L, stream), 0L)) as arrived
    from (
        select correlation_id, stream, life, inline(filter(array(
            named_struct('phase', if(was_inside, -1, 1), 'cycle', if(was_inside, null, entered),
                'place', entry, 'delta', 1),
            named_struct('phase', 0, 'cycle', expelled, 'place', exit, 'delta', -1)
        ), each -> each.phase <> 0 or each.cycle is not null))
        from (select * from stays distribute by correlation_id)
    )
    group by correlation_id, cycle, phase
),

counted as (
    select correlation_id, cycle, phase, place, life, arrived,
        phase >= 0 and not lead(cycle) over ({{ id }}) <=> cycle as ends_cycle,
        {%- for stream in task.streams %}
        if(sum(moved_{{ loop.index0 }}) over ({{ id }} rows unbounded preceding) > 0,
            {{ strandline._stream_bits([loop.index0]) }}, 0L){{ ' +' if not loop.last }}
        {%- endfor %} as present
    from phases
),

lives as (
    select *,
        coalesce(lag(present) over ({{ id }}), 0L) as was_present,
        lead(phase) over ({{ id }}) is null as is_last,
        coalesce(sum(if(phase = 0 and present = 0, 1, 0)) over ({{ id }}{{ before }}), 0)
            as life_number
    from counted
),

watched as (
    select *
        {%- for pattern in task.patterns if pattern.absent %}
        {%- set number = task.patterns.index(pattern) %},
        {{ strandline._watch(pattern, loop.index0, life ~ before) }} as watch_{{ number }},
        {{ strandline._watch(pattern, loop.index0, life ~ ' rows unbounded preceding') }}
            as watch_now_{{ number }}
        {%- endfor %}
    from lives
),

chosen as (
    select *, {{ strandline._fires(task) | indent(8) }} as pattern_number
    from watched
)

select * except (pattern_number), if(was_fired, null, pattern_number) as fires
from (
    select correlation_id, cycle, phase, place, life_number, present, pattern_number, is_last,
        coalesce(max(pattern_number is not null) over ({{ life }}{{ before }}), false)
            or coalesce(max(life.fired) over ({{ life }}{{ before }}), false) as was_fired,
        array(
            {%- for pattern in task.patterns if pattern.absent -%}
            {{ 'watch_now_' ~ task.patterns.index(pattern) }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ) as watches
    from chosen
)
where (pattern_number is not null and not was_fired) or (is_last and present <> 0)
{%- endmacro %}

{#- Whether a delayed pattern is on the watch list after some rows of a life, or null if it never
    was. An event of a `not` stream takes it off. Then only an event of its own streams brings it
    back, in a cycle that ends with exactly these streams; else any cycle that ends with them. -#}
{% macro _watch(pattern, number, rows) -%}
{%- set own = strandline._stream_bits(pattern.present) -%}
coalesce(
            last_value(case
                when phase = -1 then life.watches[{{ number }}]
                when arrived & {{ strandline._stream_bits(pattern.absent) }} <> 0 then false
                when ends_cycle and present = {{ own }} and arrived & {{ own }} <> 0 then true
            end, true) over ({{ rows }}),
            max(if(ends_cycle and present = {{ own }}, true, null)) over ({{ rows }})
        )
{%- endmacro %}

{#- The number of the pattern that fires in a row, if none of this life has fired: delayed ones as a
    stream leaves, then immediate ones as the cycle ends; the first of `when`. -#}
{% macro _fires(task) -%}
case
    {%- for pattern in task.patterns if pattern.absent %}
    {%- set number = task.patterns.index(pattern) %}
    when phase = 0 and watch_{{ number }}
        and was_present & ~present & {{ strandline._stream_bits(pattern.present) }} <> 0
        then {{ number }}
    {%- endfor %}
    {%- for pattern in task.patterns if not pattern.absent %}
    when ends_cycle and present = {{ strandline._stream_bits(pattern.present) }}
        then {{ task.patterns.index(pattern) }}
    {%- endfor %}
end
{%- endmacro %}

{#- The query of what happens to each id in a run, in its order: the rows in which a pattern fires
    (`fires` is its number), and the last row of each id that is still in a window.

    phases     the rows of an id that leave (phase 0) or enter (1) in one cycle; phase -1 is what
               was inside at the watermark
    counted    the streams in which the id is present after each, as bits
    lives      a life of an id ends when it is in no window any more
    watched    for each delayed pattern, whether it is on the watch list
    chosen     the pattern that would fire

    One sort serves all of it: the rows are grouped in the order of the windows, and what belongs to
    one life is compared by its number, since lives follow each other. -#}
{% macro _correlation_changes(task, run) -%}
{%- set id = 'partition by correlation_id order by cycle_at, cycle_arrival, cycle_step, phase' -%}
{%- set before = id ~ ' rows between unbounded preceding and 1 preceding' -%}
{%- set until_now = id ~ ' rows unbounded preceding' -%}
with {{ strandline._correlated_stays(task, run) }},

phases as (
    select correlation_id, cycle.at as cycle_at, cycle.arrival as cycle_arrival,
        cycle.step as cycle_step, phase, min(place) as place, max(life) as life,
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
    group by correlation_id, cycle.at, cycle.arrival, cycle.step, phase
),

counted as (
    select *,
        lead(phase) over ({{ id }}) is null as is_last,
        phase >= 0 and (lead(phase) over ({{ id }}) is null or not (
            lead(cycle_at) over ({{ id }}) <=> cycle_at
            and lead(cycle_arrival) over ({{ id }}) <=> cycle_arrival
            and lead(cycle_step) over ({{ id }}) <=> cycle_step)) as ends_cycle,
        {%- for stream in task.streams %}
        if(sum(moved_{{ loop.index0 }}) over ({{ until_now }}) > 0,
            {{ strandline._stream_bits([loop.index0]) }}, 0L){{ ' +' if not loop.last }}
        {%- endfor %} as present
    from phases
),

lives as (
    select *,
        coalesce(lag(present) over ({{ id }}), 0L) as was_present,
        coalesce(sum(if(phase = 0 and present = 0, 1, 0)) over ({{ before }}), 0L) as life_number
    from counted
),

watched as (
    select *
        {%- for pattern in task.patterns if pattern.absent %}
        {%- set number = task.patterns.index(pattern) %},
        {{ strandline._watch('before', number) }} as watch_{{ number }},
        {{ strandline._watch('now', number) }} as watch_now_{{ number }}
        {%- endfor %}
    from (
        select *
            {%- for pattern in task.patterns if pattern.absent %}
            {{- strandline._watch_events(pattern, loop.index0, task.patterns.index(pattern),
                {'before': before, 'now': until_now}) }}
            {%- endfor %}
        from lives
    )
),

chosen as (
    select *, {{ strandline._fires(task) | indent(8) }} as pattern_number
    from watched
)

select * except (pattern_number), if(was_fired, null, pattern_number) as fires
from (
    select correlation_id, named_struct('at', cycle_at, 'arrival', cycle_arrival,
            'step', cycle_step) as cycle,
        phase, place, life_number, present, pattern_number, is_last,
        coalesce(max(if(pattern_number is not null or life.fired, life_number, null))
            over ({{ before }}) = life_number, false) as was_fired,
        array(
            {%- for pattern in task.patterns if pattern.absent -%}
            {{ 'watch_now_' ~ task.patterns.index(pattern) }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ) as watches
    from chosen
)
where (pattern_number is not null and not was_fired) or (is_last and present <> 0)
{%- endmacro %}

{#- What decides whether a delayed pattern is on the watch list, before each row and with it: the
    last event that put it on or took it off, as the life's number times two, plus one for on; and
    the last life with a cycle that ended with exactly its streams. -#}
{% macro _watch_events(pattern, place, number, rows) -%}
{%- set own = strandline._stream_bits(pattern.present) -%}
{%- for name, window in rows.items() %},
            last_value(life_number * 2 + case
                when phase = -1 then int(life.watches[{{ place }}])
                when arrived & {{ strandline._stream_bits(pattern.absent) }} <> 0 then 0
                when ends_cycle and present = {{ own }} and arrived & {{ own }} <> 0 then 1
            end, true) over ({{ window }}) as event_{{ name }}_{{ number }},
            max(if(ends_cycle and present = {{ own }}, life_number, null))
                over ({{ window }}) as armed_{{ name }}_{{ number }}
{%- endfor -%}
{%- endmacro %}

{#- Whether a delayed pattern is on the watch list, or null if it never was in this life. An event
    of a `not` stream takes it off. Then only an event of its own streams brings it back, in a cycle
    that ends with exactly these streams; else any cycle that ends with them. -#}
{% macro _watch(rows, number) -%}
case
            when event_{{ rows }}_{{ number }} div 2 = life_number
                then event_{{ rows }}_{{ number }} % 2 = 1
            when armed_{{ rows }}_{{ number }} = life_number then true
        end
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

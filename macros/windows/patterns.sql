{#- Reads `when`: a list of patterns, each a conjunction of aliases, some with `not`. Returns for
    each its `text`, and `present` and `absent`, the places of the aliases. Appends faults. -#}
{% macro _read_patterns(when, aliases, faults) %}
    {%- set read = [] -%}
    {%- set allowed = "write a list of patterns such as ['one and two and not three', 'one and not "
        ~ "two']: aliases joined by `and`, each with or without `not`; the patterns of the list "
        ~ "are alternatives" -%}
    {%- if when is string or when is mapping or when is not iterable or not when | list -%}
        {%- do faults.append("`when` is '" ~ when ~ "'; " ~ allowed) -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for text in when -%}
        {%- set words = (text | string | trim).split() | join(' ') -%}
        {%- set pattern = {'text': words, 'present': [], 'absent': []} -%}
        {%- if '(' in words or ')' in words -%}
            {%- do faults.append("`when` has '" ~ text ~ "', which has parentheses; " ~ allowed) -%}
        {%- elif modules.re.search('(?i)\\bor\\b', words) -%}
            {%- do faults.append("`when` has '" ~ text ~ "', which has an `or`; make each side a "
                ~ "pattern of its own: " ~ allowed) -%}
        {%- else -%}
            {%- do strandline._read_pattern(words, aliases, pattern, allowed, faults) -%}
        {%- endif -%}
        {%- for other in read
            if pattern.present | sort == other.present | sort and pattern.present
            and pattern.absent | sort == other.absent | sort -%}
            {%- do faults.append("`when` has '" ~ words ~ "' and '" ~ other.text
                ~ "', which are the same pattern; leave one out") -%}
        {%- endfor -%}
        {%- do read.append(pattern) -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- One pattern: adds the places of its aliases. -#}
{% macro _read_pattern(words, aliases, pattern, allowed, faults) %}
    {%- for term in modules.re.split('(?i) and ', words) -%}
        {%- set form = modules.re.match('(?i)^(not )?(\\w+)$', term) -%}
        {%- set alias = form.group(2) | lower if form else none -%}
        {%- if not form or alias in ['and', 'not'] -%}
            {%- do faults.append("`when` has '" ~ words ~ "'; " ~ allowed) -%}
        {%- elif alias not in aliases -%}
            {%- do faults.append("`when` has '" ~ words ~ "', and `streams` has no alias '"
                ~ form.group(2) ~ "'; it has " ~ strandline._choices(aliases)
                ~ strandline._nearest(alias, aliases)) -%}
        {%- elif aliases.index(alias) in pattern.present + pattern.absent -%}
            {%- do faults.append("`when` has '" ~ words ~ "', which names " ~ alias
                ~ " twice; name each alias once") -%}
        {%- else -%}
            {%- set side = 'absent' if form.group(1) else 'present' -%}
            {%- do pattern[side].append(aliases.index(alias)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if pattern.absent and not pattern.present -%}
        {%- do faults.append("`when` has '" ~ words ~ "', which has no alias without `not`; a "
            ~ "pattern begins when an event of such a stream is there, as in 'one and not two'") -%}
    {%- endif -%}
{% endmacro %}

{#- The bits of some places, as a literal: the set of their streams. -#}
{% macro _stream_bits(places) %}
    {%- set bits = namespace(sum=0) -%}
    {%- for place in places -%}{%- set bits.sum = bits.sum + 2 ** place -%}{%- endfor -%}
    {{- return(bits.sum ~ 'L') -}}
{% endmacro %}

{#- The query of what happens to each id in a run, in its order: the rows in which a pattern fires
    (`__fires` is its number), and the last row of each id that is still in a window.

    __phases     the rows of an id that leave (phase 0) or enter (1) in one cycle; phase -1 is what
               was inside at the watermark
    __counted    the streams in which the id is present after each, as bits
    __lives      a life of an id ends when it is in no window any more
    __watched    for each delayed pattern, whether it is on the watch list
    __chosen     the pattern that would fire

    One sort serves all of it: the rows are grouped in the order of the windows, and what belongs to
    one life is compared by its number, since lives follow each other. -#}
{% macro _correlation_changes(task, run) -%}
{%- set id = 'partition by __id order by __at, __arrival, __step, __phase' -%}
{%- set before = id ~ ' rows between unbounded preceding and 1 preceding' -%}
{%- set until_now = id ~ ' rows unbounded preceding' -%}
with {{ strandline._correlated_stays(task, run) }},

__phases as (
    select __id, __cycle.at as __at, __cycle.arrival as __arrival, __cycle.step as __step, __phase,
        min(__place) as __place, max(__life) as __life,
        {%- for stream in task.streams %}
        sum(if(__stream = {{ loop.index0 }}, __delta, 0)) as __moved_{{ loop.index0 }},
        {%- endfor %}
        bit_or(if(__phase = 1, shiftleft(1L, __stream), 0L)) as __arrived
    from (
        select __id, __stream, __life, inline(filter(array(
            named_struct('__phase', if(__was_inside, -1, 1), '__cycle',
                if(__was_inside, null, __entered), '__place', __entry, '__delta', 1),
            named_struct('__phase', 0, '__cycle', __expelled, '__place', __exit, '__delta', -1)
        ), __each -> __each.__phase <> 0 or __each.__cycle is not null))
        from (select * from __stays distribute by __id)
    )
    group by __id, __cycle.at, __cycle.arrival, __cycle.step, __phase
),

__counted as (
    select *,
        lead(__phase) over ({{ id }}) is null as __is_last,
        __phase >= 0 and (lead(__phase) over ({{ id }}) is null or not (
            lead(__at) over ({{ id }}) <=> __at
            and lead(__arrival) over ({{ id }}) <=> __arrival
            and lead(__step) over ({{ id }}) <=> __step)) as __ends_cycle,
        {%- for stream in task.streams %}
        if(sum(__moved_{{ loop.index0 }}) over ({{ until_now }}) > 0,
            {{ strandline._stream_bits([loop.index0]) }}, 0L){{ ' +' if not loop.last }}
        {%- endfor %} as __present
    from __phases
),

__lives as (
    select *,
        coalesce(lag(__present) over ({{ id }}), 0L) as __was_present,
        coalesce(sum(if(__phase = 0 and __present = 0, 1, 0)) over ({{ before }}), 0L)
            as __life_number
    from __counted
),

__watched as (
    select *
        {%- for pattern in task.patterns if pattern.absent %}
        {%- set number = task.patterns.index(pattern) %},
        {{ strandline._watch('before', number) }} as __watch_{{ number }},
        {{ strandline._watch('now', number) }} as __watch_now_{{ number }}
        {%- endfor %}
    from (
        select *
            {%- for pattern in task.patterns if pattern.absent %}
            {{- strandline._watch_events(pattern, loop.index0, task.patterns.index(pattern),
                {'before': before, 'now': until_now}) }}
            {%- endfor %}
        from __lives
    )
),

__chosen as (
    select *, {{ strandline._fires(task) | indent(8) }} as __pattern
    from __watched
)

select * except (__pattern), if(__was_fired, null, __pattern) as __fires
from (
    select __id, named_struct('at', __at, 'arrival', __arrival, 'step', __step) as __cycle,
        __phase, __place, __life_number, __present, __pattern, __is_last,
        coalesce(max(if(__pattern is not null or __life.fired, __life_number, null))
            over ({{ before }}) = __life_number, false) as __was_fired,
        array(
            {%- for pattern in task.patterns if pattern.absent -%}
            {{ '__watch_now_' ~ task.patterns.index(pattern) }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ) as __watches
    from __chosen
)
where (__pattern is not null and not __was_fired) or (__is_last and __present <> 0)
{%- endmacro %}

{#- What decides whether a delayed pattern is on the watch list, before each row and with it: the
    last event that put it on or took it off, as the life's number times two, plus one for on; and
    the last life with a cycle that ended with exactly its streams. -#}
{% macro _watch_events(pattern, place, number, rows) -%}
{%- set own = strandline._stream_bits(pattern.present) -%}
{%- for name, window in rows.items() %},
            last_value(__life_number * 2 + case
                when __phase = -1 then int(__life.watches[{{ place }}])
                when __arrived & {{ strandline._stream_bits(pattern.absent) }} <> 0 then 0
                when __ends_cycle and __present = {{ own }} and __arrived & {{ own }} <> 0 then 1
            end, true) over ({{ window }}) as __event_{{ name }}_{{ number }},
            max(if(__ends_cycle and __present = {{ own }}, __life_number, null))
                over ({{ window }}) as __armed_{{ name }}_{{ number }}
{%- endfor -%}
{%- endmacro %}

{#- Whether a delayed pattern is on the watch list, or null if it never was in this life. An event
    of a `not` stream takes it off. Then only an event of its own streams brings it back, in a cycle
    that ends with exactly these streams; else any cycle that ends with them. -#}
{% macro _watch(rows, number) -%}
case
            when __event_{{ rows }}_{{ number }} div 2 = __life_number
                then __event_{{ rows }}_{{ number }} % 2 = 1
            when __armed_{{ rows }}_{{ number }} = __life_number then true
        end
{%- endmacro %}

{#- The number of the pattern that fires in a row, if none of this life has fired: delayed ones as a
    stream leaves, then immediate ones as the cycle ends; the first of `when`. -#}
{% macro _fires(task) -%}
case
    {%- for pattern in task.patterns if pattern.absent %}
    {%- set number = task.patterns.index(pattern) %}
    when __phase = 0 and __watch_{{ number }}
        and __was_present & ~__present & {{ strandline._stream_bits(pattern.present) }} <> 0
        then {{ number }}
    {%- endfor %}
    {%- for pattern in task.patterns if not pattern.absent %}
    when __ends_cycle and __present = {{ strandline._stream_bits(pattern.present) }}
        then {{ task.patterns.index(pattern) }}
    {%- endfor %}
end
{%- endmacro %}

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

    __moves    the rows of an id as they leave (phase 0) and enter (1); before them what was inside
               at the watermark (-2) and what is stored of the id (-1)
    __counted  after each move, the rows of each stream that are inside, and the one that entered
               last
    __lives    the moves of one phase of a cycle together, with the streams in which the id is
               present, as bits; a life of an id ends when it is in no window any more
    __watched  for each delayed pattern, whether it is on the watch list
    __chosen   the pattern that would fire

    One exchange and one sort serve all of it: each step is a window in the same order. What belongs
    to one life is compared by its number, since lives follow each other.

    Where a stream has one row inside, and this is the one that entered last, the row comes along
    (`__sole`): then a firing needs no join to find it. Which one is inside, `bit_xor` says: the
    numbers (`__entry`) of rows that entered and left cancel out. Rows of an id that are inside at
    once have different numbers, but for those of a correlation, which never leave. -#}
{% macro _correlation_changes(task, run) -%}
{%- set order = 'partition by __id order by __at, __arrival, __step, __phase' -%}
{%- set before = '(' ~ order ~ ' rows between unbounded preceding and 1 preceding)' -%}
{%- set until_now = '(' ~ order ~ ' rows unbounded preceding)' -%}
{%- set delayed = task.patterns | selectattr('absent') | list -%}
{%- set is_stored = run.watermark is not none -%}
{%- set read = strandline._streams_read(task) -%}
with {{ strandline._correlated_stays(task, run) }},

__moves as (
    select __id, __stream, __entry, __phase, __place, __cycle.at as __at,
        __cycle.arrival as __arrival, __cycle.step as __step
        {{- ', __life' if is_stored }}
        {%- for stream in read %},
        if(__phase = 0, null, {{ stream.event }}) as {{ stream.event }}
        {%- endfor %}
    from (
        select *, inline(if(__expelled is null, array(__enters), array(__enters, __leaves)))
        from (
            select *,
                named_struct('__phase', case when __stream = -1 then -1 when __was_inside then -2
                    else 1 end, '__cycle', if(__was_inside, null, __entered),
                    '__place', __entry) as __enters,
                named_struct('__phase', 0, '__cycle', __expelled, '__place', __exit) as __leaves
            from (select * from __stays distribute by __id)
        )
    )
),

__counted as (
    select __id, __at, __arrival, __step, __phase,
        {{- ' __life,' if is_stored }}
        min(__place) over __together as __place,
        lead(__phase) over __line as __next_phase,
        lead(__at) over __line as __next_at,
        lead(__arrival) over __line as __next_arrival,
        lead(__step) over __line as __next_step
        {%- if delayed %},
        bit_or(if(__phase = 1, shiftleft(1L, __stream), 0L)) over __together as __arrived
        {%- endif %}
        {%- for stream in task.streams %},
        sum(case when __stream <> {{ loop.index0 }} then 0 when __phase = 0 then -1 else 1 end)
            over __until_now as __count_{{ loop.index0 }}
        {%- endfor %}
        {%- for stream in read %},
        last_value({{ stream.event }}, true) over __until_now as {{ stream.event }},
        last_value(if({{ stream.event }} is null, null, __entry), true) over __until_now
            as __newest_{{ stream.place }},
        bit_xor(if(__stream = {{ stream.place }}, __entry, 0L)) over __until_now
            as __inside_{{ stream.place }}
        {%- endfor %}
    from __moves
    window __line as ({{ order }}), __until_now as {{ until_now }},
        __together as ({{ order }} range between current row and current row)
),

__lives as (
    select *,
        coalesce(lag(__present) over __line, 0L) as __was_present,
        coalesce(sum(if(__phase = 0 and __present = 0, 1, 0)) over __before, 0L)
            as __life_number
        {%- if delayed and read %},
        coalesce(lag(__sole) over __line, 0L) as __was_sole
        {%- endif %}
    from (
        select __id, __at, __arrival, __step, __phase, __place,
            {{- ' __life,' if is_stored }}{{ ' __arrived,' if delayed }}
            __next_phase is null as __is_last,
            __phase >= 0 and not (__next_phase is not null and {{ strandline._cycle_goes_on() }})
                as __ends_cycle,
            {%- for stream in task.streams %}
            if(__count_{{ loop.index0 }} > 0, {{ strandline._stream_bits([loop.index0]) }}, 0L)
                {{- ' +' if not loop.last }}
            {%- endfor %} as __present
            {%- for stream in read %},
            {{ stream.event }}
            {%- endfor %}
            {%- if read %},
            {%- for stream in read %}
            if(__count_{{ stream.place }} = 1 and __inside_{{ stream.place }}
                = __newest_{{ stream.place }}, {{ strandline._stream_bits([stream.place]) }}, 0L)
                {{- ' +' if not loop.last }}
            {%- endfor %} as __sole
            {%- endif %}
        from __counted
        where not (__next_phase <=> __phase and {{ strandline._cycle_goes_on() }})
    )
    window __line as ({{ order }}), __before as {{ before }}
),

__watched as (
    select *
        {%- for pattern in delayed %}
        {%- set number = task.patterns.index(pattern) %},
        {{ strandline._watch('before', number) }} as __watch_{{ number }},
        {{ strandline._watch('now', number) }} as __watch_now_{{ number }}
        {%- endfor %}
    from (
        select *
            {%- for pattern in delayed %}
            {{- strandline._watch_events(pattern, loop.index0, task.patterns.index(pattern),
                {'before': before, 'now': until_now}, is_stored) }}
            {%- endfor %}
        from __lives
    )
),

__chosen as (
    select *, {{ strandline._fires(task) | indent(8) }} as __pattern
    from __watched
)

select __id, named_struct('at', __at, 'arrival', __arrival, 'step', __step) as __cycle,
    __place, __life_number, __present, __is_last, __was_fired,
    if(__was_fired, null, __pattern) as __fires,
    array(
        {%- for pattern in delayed -%}
        {{ '__watch_now_' ~ task.patterns.index(pattern) }}{{ ', ' if not loop.last }}
        {%- endfor -%}
    ) as __watches
    {%- for stream in read %},
    {{ stream.event }}
    {%- endfor %}
    {%- if read %},
    {{ strandline._is_sole(task, read) | indent(4) }} as __is_sole
    {%- endif %}
from (
    select *, coalesce(max(if(__pattern is not null{{ ' or __life.fired' if is_stored }},
        __life_number, null)) over {{ before }} = __life_number, false) as __was_fired
    from __chosen
    where __pattern is not null or __is_last{{ ' or __life.fired' if is_stored }}
)
where (__pattern is not null and not __was_fired) or (__is_last and __present <> 0)
{%- endmacro %}

{#- The streams of which `select` reads columns: their `place`, and the column `event` that has
    these columns of a row. -#}
{% macro _streams_read(task) %}
    {%- set read = [] -%}
    {%- for stream in task.streams if stream.columns -%}
        {%- do read.append({'place': task.streams.index(stream),
            'event': strandline._quoted(stream.alias)}) -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- Whether the row that follows is of the same cycle. -#}
{% macro _cycle_goes_on() %}
    {{- return('__next_at <=> __at and __next_arrival <=> __arrival and __next_step <=> __step') -}}
{% endmacro %}

{#- Whether the rows of all streams of the pattern that come along are those that it needs: of a
    delayed pattern those that were inside before the cycle. -#}
{% macro _is_sole(task, read) -%}
{%- set places = read | map(attribute='place') | list -%}
case __pattern
    {%- for pattern in task.patterns %}
    {%- set needed = strandline._stream_bits(pattern.present | select('in', places)) %}
    when {{ loop.index0 }} then {{ '__was_sole' if pattern.absent else '__sole' }} & {{ needed }}
        = {{ needed }}
    {%- endfor %}
end
{%- endmacro %}

{#- What decides whether a delayed pattern is on the watch list, before each row and with it: the
    last event that put it on or took it off, as the life's number times two, plus one for on; and
    the last life with a cycle that ended with exactly its streams. -#}
{% macro _watch_events(pattern, place, number, rows, is_stored) -%}
{%- set own = strandline._stream_bits(pattern.present) -%}
{%- for name, window in rows.items() %},
            last_value(__life_number * 2 + case
                {%- if is_stored %}
                when __phase = -1 then int(__life.watches[{{ place }}])
                {%- endif %}
                when __arrived & {{ strandline._stream_bits(pattern.absent) }} <> 0 then 0
                when __ends_cycle and __present = {{ own }} and __arrived & {{ own }} <> 0 then 1
            end, true) over {{ window }} as __event_{{ name }}_{{ number }},
            max(if(__ends_cycle and __present = {{ own }}, __life_number, null))
                over {{ window }} as __armed_{{ name }}_{{ number }}
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

{#- All rows that a run of a correlation writes: what has fired, in the month of its cycle, and in
    the partition `open` what the next run needs to know. -#}
{% macro _correlation_rows(task, run) -%}
{%- set names = [] -%}
{%- for output in task.select -%}
    {%- do names.append(strandline._quoted(output.name)) -%}
{%- endfor -%}
with
{%- if task.streams | selectattr('columns') | list %}
{{ strandline._correlated_stays(task, run) }},
{%- endif %}

__fired as (
    select *, {{ strandline._pattern_case(task, 'fires') }} as __text,
        {{ strandline._pattern_case(task, 'is_delayed') }} as __is_delayed,
        {{ strandline._pattern_case(task, 'streams') }} as __streams
    from {{ run.changes }}
    where __fires is not null
),

__correlated as (
    {{ strandline._correlated_events(task) | indent(4) }}
),

__selected as (
    select
        {%- for output in task.select %}
        {{ output.sql }} as {{ strandline._quoted(output.name) }},
        {%- endfor %}
        correlation_id, pattern, entered, __place as entry
    from (select * from __correlated)
)

select
    {{ names | join(', ') }}, correlation_id, pattern, entered,
    cast(null as {{ strandline._cycle_type() }}) as expelled, entry, cast(null as bigint) as exit,
    cast(null as string) as reason, 'row' as row_kind,
    cast(null as {{ strandline._life_type() }}) as window_state,
    cast(null as {{ strandline._progress_type() }}) as window_progress,
    cast(null as string) as window_event, cast(null as string) as window_values,
    cast(null as string) as window_totals,
    coalesce(date_format(entered.at, 'yyyy-MM'), 'none') as window_part
from __selected
{%- if task.where is not none %}
where {{ task.where }}
{%- endif %}
union all
select {{ 'null, ' * task.select | length }}__id, null, null, null, null, null, null,
    'life', named_struct('fired', __was_fired or __fires is not null, 'watches', __watches), null,
    null, null, null, 'open'
from {{ run.changes }}
where __is_last and __present <> 0
    and (__was_fired or __fires is not null or exists(__watches, __each -> __each is not null))
union all
select {{ 'null, ' * task.select | length }}null, null, null, null, null, null, null, 'clock', null,
    named_struct('clock', {{ strandline._long(run.now.clock) }}, 'events', 0L, 'accepted', 0L,
        'seen', cast(null as string), 'arrival', {{ strandline._long(run.now.arrival) }},
        'builds', {{ strandline._text(run.builds) }}), null, null, null, 'open'
{%- endmacro %}

{#- What fired, with the row of each of the pattern's streams: of several rows of the id that are
    inside, the one that entered first. A delayed pattern sees what was inside before the cycle.
    `select` reads the aliases, `correlation_id`, `pattern` and `entered`. -#}
{% macro _correlated_events(task) -%}
{%- set read = task.streams | selectattr('columns') | list -%}
{%- if not read -%}
select __id as correlation_id, __text as pattern, __cycle as entered, __place from __fired
{%- else -%}
select __fired.__id as correlation_id, any_value(__text) as pattern, any_value(__cycle) as entered,
    any_value(__place) as __place
    {%- for stream in read %},
    {%- set number = task.streams.index(stream) %}
    {%- set alias = strandline._quoted(stream.alias) %}
    min_by(__stays.{{ alias }}, struct(__entered, __entry)) filter (
        where __stream = {{ number }} and __streams & {{ strandline._stream_bits([number]) }} <> 0
    ) as {{ alias }}
    {%- endfor %}
from __fired
inner join __stays on __fired.__id = __stays.__id
    and if(__is_delayed,
        __entered < __cycle and (__expelled is null or __expelled >= __cycle),
        __entered <= __cycle and (__expelled is null or __expelled > __cycle))
group by __fired.__id, __life_number
{%- endif -%}
{%- endmacro %}

{#- A property of the pattern that fired. -#}
{% macro _pattern_case(task, property) -%}
case __fires
        {%- for pattern in task.patterns %}
        when {{ loop.index0 }} then {{ {'fires': strandline._literal(pattern.text),
            'is_delayed': 'true' if pattern.absent else 'false',
            'streams': strandline._stream_bits(pattern.present)}[property] }}
        {%- endfor %}
    end
{%- endmacro %}

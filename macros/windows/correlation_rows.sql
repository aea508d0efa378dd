{#- All rows that a run of a correlation writes: what has fired, in the month of its cycle, and in
    the partition `open` what the next run needs to know. -#}
{% macro _correlation_rows(task, run) -%}
with
{%- if task.streams | selectattr('columns') | list %}
{{ strandline._correlated_stays(task, run) }},
{%- endif %}

fired as (
    select *, {{ strandline._pattern_case(task, 'fires') }} as pattern,
        {{ strandline._pattern_case(task, 'is_delayed') }} as is_delayed,
        {{ strandline._pattern_case(task, 'streams') }} as streams
    from {{ run.changes }}
    where fires is not null
),

correlated as (
    {{ strandline._correlated_events(task) | indent(4) }}
),

selected as (
    select
        {%- for output in task.select %}
        {{ output.sql }} as {{ output.name }},
        {%- endfor %}
        correlation_id, pattern, cycle as entered, place as entry
    from (select * from correlated)
)

select
    {{ task.select | map(attribute='name') | join(', ') }}, correlation_id, pattern, entered,
    cast(null as {{ strandline._cycle_type() }}) as expelled, entry, cast(null as bigint) as exit,
    cast(null as string) as reason, 'row' as row_kind,
    cast(null as {{ strandline._life_type() }}) as window_state,
    cast(null as {{ strandline._progress_type() }}) as window_progress,
    cast(null as string) as window_event, cast(null as string) as window_values,
    cast(null as string) as window_totals,
    coalesce(date_format(entered.at, 'yyyy-MM'), 'none') as window_part
from selected
{%- if task.where is not none %}
where {{ task.where }}
{%- endif %}
union all
select {{ 'null, ' * task.select | length }}correlation_id, null, null, null, null, null, null,
    'life', named_struct('fired', was_fired or fires is not null, 'watches', watches), null, null,
    null, null, 'open'
from {{ run.changes }}
where is_last and present <> 0
    and (was_fired or fires is not null or exists(watches, each -> each is not null))
union all
select {{ 'null, ' * task.select | length }}null, null, null, null, null, null, null, 'clock', null,
    named_struct('clock', {{ strandline._long(run.now.clock) }}, 'events', 0L, 'accepted', 0L,
        'seen', cast(null as string), 'arrival', {{ strandline._long(run.now.arrival) }},
        'builds', {{ strandline._text(run.builds) }}), null, null, null, 'open'
{%- endmacro %}

{#- What fired, with the row of each of the pattern's streams: of several rows of the id that are
    inside, the one that entered first. A delayed pattern sees what was inside before the cycle. -#}
{% macro _correlated_events(task) -%}
{%- set read = task.streams | selectattr('columns') | list -%}
{%- if not read -%}
select correlation_id, pattern, cycle, place from fired
{%- else -%}
select fired.correlation_id, any_value(pattern) as pattern, any_value(cycle) as cycle,
    any_value(place) as place
    {%- for stream in read %},
    {%- set number = task.streams.index(stream) %}
    min_by(stays.{{ stream.alias }}, struct(stays.entered, stays.entry)) filter (
        where stream = {{ number }} and streams & {{ strandline._stream_bits([number]) }} <> 0
    ) as {{ stream.alias }}
    {%- endfor %}
from fired
inner join stays on fired.correlation_id = stays.correlation_id
    and if(is_delayed,
        stays.entered < cycle and (stays.expelled is null or stays.expelled >= cycle),
        stays.entered <= cycle and (stays.expelled is null or stays.expelled > cycle))
group by fired.correlation_id, life_number
{%- endif -%}
{%- endmacro %}

{#- A property of the pattern that fired. -#}
{% macro _pattern_case(task, property) -%}
case fires
        {%- for pattern in task.patterns %}
        when {{ loop.index0 }} then {{ {'fires': strandline._literal(pattern.text),
            'is_delayed': 'true' if pattern.absent else 'false',
            'streams': strandline._stream_bits(pattern.present)}[property] }}
        {%- endfor %}
    end
{%- endmacro %}

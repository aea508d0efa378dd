{#- All rows that a run writes. A row is in the partition `open` while a later run can change it,
    then in that of the month in which it left. -#}
{% macro _window_rows(task, run) -%}
with {% if not task.aggregates -%}
{{ strandline._window_events(task, run) }},

{{ strandline._stays(task, run) }},

{% endif -%}
{{ strandline._written_rows(task, run) }}
union all
select
    {%- for _ in range(strandline._row_width(task)) %} null,{% endfor %}
    'clock', null, named_struct('clock', {{ strandline._long(run.now if run.now
        != -9000000000000000000 else none) }}, 'events',
        {{ run.events + run.new_events }}L, 'accepted', {{ strandline._accepted(task, run) }},
        'seen', {{ strandline._text(run.watermark) }},
        'arrival', {{ strandline._long(run.arrival) }},
        'builds', {{ strandline._text(run.builds) }}), 'open'
{%- endmacro %}

{#- The body of a window: the rows of a full refresh, in one query. A store that is folded row after
    row has none: its body is the events that it reads. -#}
{% macro _window_body(task) -%}
{%- if strandline._is_folded(task.store) -%}
select {{ strandline._all_quoted((task.columns
    + ([] if task.status else [task.ts, task.arrival])) | unique) | join(', ') }}
from {{ task.upstream }}
    {%- if task.where and not task.status %}
where {{ task.where }}
    {%- endif %}
{%- else -%}
{%- set run = strandline._whole_run(task) -%}
with {{ strandline._window_events(task, run) }},

{{ strandline._stays(task, run) }},

{{ strandline._written_rows(task, run, "where row_kind = 'row'") }}
{%- endif -%}
{%- endmacro %}

{#- The rows of events, from the stays: the CTEs that follow them, and the query. -#}
{% macro _written_rows(task, run, condition='') -%}
{% if task.aggregates -%}
{{ strandline._versions(task, run) }},

__written as (
    {{ strandline._version_rows(task, run) | indent(4) }}
)
{%- else -%}
__written as (
    select {{ strandline._all_quoted(task.columns) | join(', ') }},
        cast(null as string) as window_event,
        cast(null as string) as window_values, cast(null as string) as window_totals,
        entered, expelled, entry, exit, reason, row_kind, window_state
    from __stays
)
{%- endif %}
select
    __written.*, cast(null as {{ strandline._progress_type() }}) as window_progress,
    case
        when row_kind = 'late'
            then coalesce(date_format(timestamp_micros(window_state.at), 'yyyy-MM'), 'none')
        when expelled is null then 'open'
        else coalesce(date_format(expelled.at, 'yyyy-MM'), 'none')
    end as window_part
from __written
{{ condition }}
{%- endmacro %}

{#- The number of columns of a written row before `row_kind`. -#}
{% macro _row_width(task) %}
    {{- return((task['keys'] + task.aggregates if task.aggregates else task.columns) | length
        + 8) -}}
{% endmacro %}

{% macro _long(value) %}
    {{- return('cast(null as bigint)' if value is none else value ~ 'L') -}}
{% endmacro %}

{% macro _text(value) %}
    {{- return('cast(null as string)' if value is none else strandline._literal(value)) -}}
{% endmacro %}

{#- The pending units after the last event; counted only with `weight`. -#}
{% macro _accepted(task, run) %}
    {{- return('0L' if not strandline._is_weighed(task)
        else '(select coalesce(max(__accepted), ' ~ run.accepted ~ 'L) from ' ~ run.staged ~ ')')
        -}}
{% endmacro %}

{% macro _progress_type() %}
    {{- return('struct<clock: bigint, events: bigint, accepted: bigint, seen: string, '
        ~ 'arrival: bigint, builds: string>') -}}
{% endmacro %}

{#- The rows of a window with aggregates: its versions, and the events behind them that are still
    inside, never enter, or wait. -#}
{% macro _version_rows(task, run) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set names = strandline._all_quoted(task.aggregates | map(attribute='name') | list) -%}
{%- set event = strandline._all_quoted(task.columns | reject('in', task['keys']) | list) -%}
select {{ (keys + names) | join(', ') }}, window_event, window_values, window_totals,
    entered, expelled, entry, exit, reason, row_kind, window_state
from (
    select {{ (keys + names) | join(', ') }}, null as window_event, window_values,
        window_totals, entered, expelled, entry, exit, null as reason, 'row' as row_kind,
        null as window_state
    from __versions
    union all
    select {{ (keys + ['null'] * names | length) | join(', ') }},
        struct({{ (event or ['true as nothing']) | join(', ') }}), null, null,
        entered, null, entry, null, reason, row_kind, window_state
    from {{ run.stays }}
    where expelled is null
)
{%- endmacro %}

{% macro _cycle_type() %}
    {{- return('struct<at: timestamp, arrival: bigint, step: array<int>>') -}}
{% endmacro %}

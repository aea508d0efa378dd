{#- The CTEs that end in `versions`, from the staged stays: one row per window and change of its
    aggregates. Rows are partitioned by the keys once, and stay so.

    moves      each row as it enters and as it leaves; rows of former runs enter in no cycle
    changes    the cycles in which the content of a window changes, numbered per window, with the
               parts of the aggregates (running.sql; contents.sql)
    filled     the aggregates over the rows inside
    totals     the aggregates over the rows that entered, with `entrance only` (totals.sql)
    measured   the values of each change; null when an unpinned window ends -#}
{% macro _versions(task, run) -%}
{%- set keys = task['keys'] -%}
{%- set line = 'partition by ' ~ (keys or ['true']) | join(', ') -%}
{%- set counted = strandline._counted_aggregates(task) -%}
{%- set inside = counted | rejectattr('entrance') | list -%}
moves as (
    select {{ task.columns | join(', ') }}, entry, window_is_old, inline(filter(array(
        named_struct('window_enters', true,
            'window_cycle', if(window_is_old, null, entered), 'window_place', entry),
        named_struct('window_enters', false, 'window_cycle', expelled, 'window_place', exit)
    ), each -> each.window_enters or each.window_cycle is not null))
    from (
        select * from {{ run.stays }}
        where row_kind = 'event'
        {%- if keys %}
        distribute by {{ keys | join(', ') }}
        {%- endif %}
    )
),

{%- if inside %}
{{ strandline._counted_changes(task, line, inside, run.depth) }}
{%- else %}
{{ strandline._window_changes(task, line) }}
{%- if counted %}
{{ strandline._spans(task, line) }},
{%- endif %}
{%- endif %}

filled as (
    select
        changes.*
        {%- for aggregate in task.aggregates | rejectattr('entrance') %},
        {{ strandline._inside_value(aggregate) }} as {{ aggregate.name }}
        {%- endfor %}
    from changes
    where window_cycle is not null
),

{{ strandline._totals(task, run, line) }}

{{ strandline._changed_values(task, run, line) }}
{%- endmacro %}

{#- The aggregates that need the rows themselves, and not only running sums over the changes. -#}
{% macro _counted_aggregates(task) %}
    {%- set counted = [] -%}
    {%- for aggregate in task.aggregates if not strandline._is_running(aggregate) -%}
        {%- do counted.append(aggregate) -%}
    {%- endfor -%}
    {{- return(counted) -}}
{% endmacro %}

{#- Whether rows of two relations belong to one window. -#}
{% macro _same_window(task, left, right) %}
    {%- set same = [] -%}
    {%- for key in task['keys'] -%}
        {%- do same.append(left ~ '.' ~ key ~ ' <=> ' ~ right ~ '.' ~ key) -%}
    {%- endfor -%}
    {{- return((same or ['true']) | join(' and ')) -}}
{% endmacro %}

{#- The CTEs `measured` and `versions`. A version is a change whose values differ from the former;
    the stored version of a window is its change 0. The open version keeps the totals of the newest
    change, new version or not. -#}
{% macro _changed_values(task, run, line) -%}
{%- set keys = task['keys'] -%}
{%- set values, shown, compared = [], [], [] -%}
{%- for aggregate in task.aggregates -%}
    {%- do values.append("'" ~ aggregate.name ~ "', " ~ aggregate.name) -%}
    {%- do compared.append(strandline._compared_value(aggregate)) -%}
    {%- do shown.append(strandline._shown_value(aggregate) ~ ' as ' ~ aggregate.name) -%}
{%- endfor -%}
{%- set diffs = task.aggregates | selectattr('diff') | map(attribute='name') | list -%}
{%- set values = 'named_struct(' ~ values | join(', ') ~ ')' -%}
measured as (
    select
        {{ (keys + ['window_number', 'window_cycle', 'window_place', 'window_totals'])
            | join(', ') }},
        {%- for name in diffs %}
        null as window_shown_{{ name }},
        {%- endfor %}
        {{ values if task.pinned else 'if(window_rows = 0, null, ' ~ values ~ ')' }}
            as window_values
    from totals
    {%- if run.is_stored %}
    union all
    select {{ (keys + ['0', 'entered', 'entry', 'window_totals'] + diffs + ['window_values'])
        | join(', ') }}
    from {{ run.stored }}
    where window_part = 'open' and row_kind = 'row'
    {%- endif %}
),

versions as (
    select
        {{ (keys + shown) | join(', ') }},
        window_values, if(expelled is null, newest_totals, null) as window_totals,
        window_cycle as entered, expelled, window_place as entry, exit
    from (
        select *,
            lag(window_values) over ({{ line }} order by window_number) as former,
            lead(window_cycle) over ({{ line }} order by window_number) as expelled,
            lead(window_place) over ({{ line }} order by window_number) as exit
        from (
            select *, lag(window_compared) over ({{ line }} order by window_number) as before,
                last_value(window_totals) over ({{ line }} order by window_number
                    rows between unbounded preceding and unbounded following) as newest_totals
            from (
                select *, if(window_values is null, null,
                    struct({{ compared | join(', ') }})) as window_compared
                from measured
            )
        )
        where window_number = 0 or not window_compared <=> before
    )
    where window_values is not null
)
{%- endmacro %}

{#- The value that a version shows: with `diff` its difference from the former version or from the
    baseline. -#}
{% macro _shown_value(aggregate) %}
    {%- set value = 'window_values.' ~ aggregate.name -%}
    {%- if not aggregate.diff -%}{{- return(value) -}}{%- endif -%}
    {%- set base = 'coalesce((' ~ aggregate.baseline ~ '), 0)' if aggregate.baseline
        else 'coalesce(former.' ~ aggregate.name ~ ', 0)' -%}
    {{- return('if(window_number = 0, window_shown_' ~ aggregate.name ~ ', coalesce(' ~ value
        ~ ', 0) - ' ~ base ~ ')') -}}
{% endmacro %}

{#- What decides whether a value has changed. A moment of equal or other rows can differ in its last
    bits only, by the order of the arithmetic: 40 of its 53 bits count, or nine decimals of a
    skewness or kurtosis, which do not depend on the unit. -#}
{% macro _compared_value(aggregate) %}
    {%- set value = 'window_values.' ~ aggregate.name -%}
    {%- if strandline._is_running(aggregate)
        or aggregate.function in ['own', 'min', 'max', 'median', 'sum', 'sumsq'] -%}
        {{- return(value) -}}
    {%- elif aggregate.function in ['skewness', 'kurtosis'] -%}
        {{- return('round(' ~ value ~ ', 9)') -}}
    {%- endif -%}
    {%- set double = 'cast(' ~ value ~ ' as double)' -%}
    {%- set scaled = double ~ ' * 8193D' -%}
    {{- return('if(abs(' ~ double ~ ') < 1e300D, ' ~ scaled ~ ' - (' ~ scaled ~ ' - ' ~ double
        ~ '), ' ~ double ~ ')') -}}
{% endmacro %}

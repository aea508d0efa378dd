{#- The CTEs that end in `__versions`, from the staged stays: one row per window and change of its
    aggregates. Rows are partitioned by the keys once, and stay so.

    __moves    each row as it enters and as it leaves; rows of earlier runs enter in no cycle
    __changes  the cycles in which the content of a window changes, numbered per window, with the
               parts of the aggregates (running.sql; contents.sql)
    __filled   the aggregates over the rows inside
    __totals   the aggregates over the rows that entered, with `entrance only` (totals.sql)
    __measured the values of each change; null when an unpinned window ends -#}
{% macro _versions(task, run) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set line = 'partition by ' ~ (keys or ['true']) | join(', ') -%}
{%- set counted = strandline._counted_aggregates(task) -%}
{%- set inside = counted | rejectattr('entrance') | list -%}
__moves as (
    select {{ strandline._all_quoted(task.columns) | join(', ') }}, entry, __is_old,
        inline(filter(array(
        named_struct('__enters', true,
            '__cycle', if(__is_old, null, entered), '__place', entry),
        named_struct('__enters', false, '__cycle', expelled, '__place', exit)
    ), __each -> __each.__enters or __each.__cycle is not null))
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

__filled as (
    select
        __changes.*
        {%- for aggregate in task.aggregates | rejectattr('entrance') %},
        {{ strandline._inside_value(aggregate) }} as {{ strandline._quoted(aggregate.name) }}
        {%- endfor %}
    from __changes
    where __cycle is not null
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
        {%- set name = strandline._quoted(key) -%}
        {%- do same.append(left ~ '.' ~ name ~ ' <=> ' ~ right ~ '.' ~ name) -%}
    {%- endfor -%}
    {{- return((same or ['true']) | join(' and ')) -}}
{% endmacro %}

{#- The CTEs `__measured` and `__versions`. A version is a change whose values differ from the one
    before;
    the stored version of a window is its change 0. The open version keeps the totals of the newest
    change, new version or not. -#}
{% macro _changed_values(task, run, line) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set values, shown, compared = [], [], [] -%}
{%- for aggregate in task.aggregates -%}
    {%- set name = strandline._quoted(aggregate.name) -%}
    {%- do values.append(strandline._literal(aggregate.name) ~ ', ' ~ name) -%}
    {%- do compared.append(strandline._compared_value(aggregate)) -%}
    {%- do shown.append(strandline._shown_value(aggregate) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- set diffs = task.aggregates | selectattr('diff') | list -%}
{%- set values = 'named_struct(' ~ values | join(', ') ~ ')' -%}
__measured as (
    select
        {{ (keys + ['__change', '__cycle', '__place', 'window_totals'])
            | join(', ') }},
        {%- for aggregate in diffs %}
        null as {{ strandline._aggregate_part('shown', aggregate) }},
        {%- endfor %}
        {{ values if task.pinned else 'if(__rows = 0, null, ' ~ values ~ ')' }}
            as window_values
    from __totals
    {%- if run.is_stored %}
    union all
    select {{ (keys + ['0', 'entered', 'entry', 'window_totals']
        + strandline._all_quoted(diffs | map(attribute='name')) + ['window_values'])
        | join(', ') }}
    from {{ run.stored }}
    where window_part = 'open' and row_kind = 'row'
    {%- endif %}
),

__versions as (
    select
        {{ (keys + shown) | join(', ') }},
        window_values, if(expelled is null, __newest_totals, null) as window_totals,
        __cycle as entered, expelled, __place as entry, exit
    from (
        select *,
            lag(window_values) over ({{ line }} order by __change) as __previous_values,
            lead(__cycle) over ({{ line }} order by __change) as expelled,
            lead(__place) over ({{ line }} order by __change) as exit
        from (
            select *, lag(__compared) over ({{ line }} order by __change) as __previous,
                last_value(window_totals) over ({{ line }} order by __change
                    rows between unbounded preceding and unbounded following) as __newest_totals
            from (
                select *, if(window_values is null, null,
                    struct({{ compared | join(', ') }})) as __compared
                from __measured
            )
        )
        where __change = 0 or not __compared <=> __previous
    )
    where window_values is not null
)
{%- endmacro %}

{#- The value that a version shows: with `diff` its difference from the version before or from the
    baseline. -#}
{% macro _shown_value(aggregate) %}
    {%- set name = strandline._quoted(aggregate.name) -%}
    {%- set value = 'window_values.' ~ name -%}
    {%- if not aggregate.diff -%}{{- return(value) -}}{%- endif -%}
    {%- set base = 'coalesce((' ~ aggregate.baseline ~ '), 0)' if aggregate.baseline
        else 'coalesce(__previous_values.' ~ name ~ ', 0)' -%}
    {{- return('if(__change = 0, ' ~ strandline._aggregate_part('shown', aggregate)
        ~ ', coalesce(' ~ value ~ ', 0) - ' ~ base ~ ')') -}}
{% endmacro %}

{#- What decides whether a value has changed. A moment of equal or other rows can differ in its last
    bits only, by the order of the arithmetic: 40 of its 53 bits count, or nine decimals of a
    skewness or kurtosis, which do not depend on the unit. -#}
{% macro _compared_value(aggregate) %}
    {%- set value = 'window_values.' ~ strandline._quoted(aggregate.name) -%}
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

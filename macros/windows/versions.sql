{#- The CTEs that end in `versions`, from the staged stays: one row per window and change of its
    aggregates. Each row is counted in the changes of its window from the one in which it enters to
    the one before it leaves; no row is compared with all others of its window.

    changes    the cycles in which the content of a window changes, numbered per window
    spans      the rows, with the first change in which they are inside and the one in which not
    ordered    the spans by what is aggregated
    contents   the aggregates over the rows inside, per change
    totals     the aggregates over the rows that entered, with `entrance only` (totals.sql)
    measured   the values of each change; null when an unpinned window ends -#}
{% macro _versions(task, run) -%}
{%- set keys = task['keys'] -%}
{%- set changed = (keys + ['window_number']) | join(', ') -%}
{%- set line = 'partition by ' ~ (keys or ['true']) | join(', ') -%}
{%- set inside = task.aggregates | rejectattr('entrance') | list -%}
numbered as (
    select *, dense_rank() over ({{ line }} order by window_cycle) as window_number
    from (
        select {{ task.columns | join(', ') }}, entry, window_is_old, inline(filter(array(
            named_struct('window_enters', true,
                'window_cycle', if(window_is_old, null, entered), 'window_place', entry),
            named_struct('window_enters', false,
                'window_cycle', expelled, 'window_place', exit)
        ), each -> each.window_enters or each.window_cycle is not null))
        from {{ run.stays }}
        where row_kind = 'event'
    )
),

changes as (
    select {{ changed }}, any_value(window_cycle) as window_cycle,
        min(window_place) as window_place
    from numbered
    where window_cycle is not null
    group by {{ changed }}
),

spans as (
    select
        {{ (keys + ['entry']) | join(', ') }}, any_value(window_is_old) as window_is_old,
        {%- for column in task.columns if column not in keys %}
        any_value({{ column }}) as {{ column }},
        {%- endfor %}
        max(if(window_enters, window_number, null)) as window_first,
        coalesce(max(if(window_enters, null, window_number)), max(window_last) + 1) as window_end
    from (select *, max(window_number) over ({{ line }}) as window_last from numbered)
    group by {{ (keys + ['entry']) | join(', ') }}
),

-- Rows of equal values are added in one order, so equal contents have equal bits.
ordered as (
    select * from spans
    sort by {{ (strandline._summed_columns(inside) + ['entry']) | join(', ') }}
),

contents as (
    select
        {{ changed }},
        {%- for aggregate in inside %}
        {{ strandline._aggregate_sql(aggregate) }} as {{ aggregate.name }},
        {%- endfor %}
        count(*) as window_rows
    from (
        select *, explode(sequence(window_first, window_end - 1)) as window_number
        from ordered
    )
    group by {{ changed }}
),

filled as (
    select
        changes.*,
        {%- for aggregate in inside %}
        {{ strandline._empty_value(aggregate) }} as {{ aggregate.name }},
        {%- endfor %}
        coalesce(contents.window_rows, 0) as window_rows
    from changes
    left join contents on {{ strandline._same_window(task, 'changes', 'contents') }}
        and changes.window_number = contents.window_number
),

{{ strandline._totals(task, run, line) }}

{{ strandline._changed_values(task, run, line) }}
{%- endmacro %}

{#- The expressions whose sums depend on the order of the rows. Of an own aggregate the text is not
    read: its rows come in the order of entry. -#}
{% macro _summed_columns(aggregates) %}
    {%- set summed = [] -%}
    {%- for aggregate in aggregates
        if aggregate.function not in ['own', 'count', 'min', 'max', 'median'] -%}
        {%- do summed.append('cast(' ~ aggregate.argument ~ ' as double)') -%}
    {%- endfor -%}
    {{- return(summed | unique | list) -}}
{% endmacro %}

{#- The value of an aggregate in a change after which the window may be empty. -#}
{% macro _empty_value(aggregate) %}
    {%- set value = 'contents.' ~ aggregate.name -%}
    {%- if aggregate.function == 'count' -%}
        {{- return('coalesce(' ~ value ~ ', 0)') -}}
    {%- elif aggregate.function == 'own' -%}
        {{- return('if(contents.window_rows is null, ' ~ aggregate.empty ~ ', ' ~ value ~ ')') -}}
    {%- endif -%}
    {{- return(value) -}}
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
    the stored version of a window is its change 0. -#}
{% macro _changed_values(task, run, line) -%}
{%- set keys = task['keys'] -%}
{%- set values, shown = [], [] -%}
{%- for aggregate in task.aggregates -%}
    {%- do values.append("'" ~ aggregate.name ~ "', " ~ aggregate.name) -%}
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
        window_values, window_totals, window_cycle as entered, expelled,
        window_place as entry, exit
    from (
        select *,
            lag(window_values) over ({{ line }} order by window_number) as former,
            lead(window_cycle) over ({{ line }} order by window_number) as expelled,
            lead(window_place) over ({{ line }} order by window_number) as exit
        from (
            select *, lag(window_values) over ({{ line }} order by window_number) as before
            from measured
        )
        where window_number = 0 or not window_values <=> before
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

{#- The CTE `__totals`: `__filled` with the aggregates that are `entrance only`. They are running
    aggregates over the rows that entered, in the order of changes. A window that has ended starts
    from nothing; otherwise the first change of a run goes on from the stored version. -#}
{% macro _totals(task, run, line) -%}
{%- set aggregates = task.aggregates | selectattr('entrance') | list -%}
{%- if not aggregates -%}
__totals as (
    select *, cast(array() as {{ strandline._totals_type() }}) as window_totals from __filled
),
{%- else -%}
{%- set moments = strandline._counted_aggregates(task) | selectattr('entrance') | list -%}
{%- set life = 'partition by ' ~ (strandline._all_quoted(task['keys'])
    + ([] if task.pinned else ['__life'])
    or ['true']) | join(', ') ~ ' order by __change' -%}
__lives as (
    select
        *
        {%- for aggregate in aggregates if aggregate not in moments %},
        {{ strandline._running_total(aggregate, life) }}
            as {{ strandline._aggregate_part('value', aggregate) }}
        {%- endfor %}
    from (
        select *, {{ '0L' if task.pinned else 'count_if(__rows = 0) over (' ~ line
            ~ ' order by __change rows between unbounded preceding and 1 preceding)' }}
            as __life
        from __filled
    )
),
{%- if moments %}

{{ strandline._entered_moments(task, moments, life) }}
{%- endif %}

__merged as (
    select
        __lives.*,
        {%- for aggregate in aggregates %}
        {%- if aggregate in moments and aggregate.function in ['sum', 'sumsq'] %}
        {{ strandline._aggregate_part('part', aggregate) }}
            as {{ strandline._aggregate_part('value', aggregate) }},
        {%- endif %}
        {%- if run.is_stored %}
        __stored.window_values.{{ strandline._quoted(aggregate.name) }}
            as {{ strandline._aggregate_part('stored', aggregate) }},
        {%- endif %}
        {%- endfor %}
        cast(array(
            {%- for aggregate in aggregates -%}
            {{ strandline._merged_part(aggregate, loop.index, run) if aggregate in moments
                and aggregate.function not in ['sum', 'sumsq'] else 'null' }}
            {{- ', ' if not loop.last }}
            {%- endfor %}) as {{ strandline._totals_type() }}) as window_totals
    from __lives
    {%- if moments %}
    inner join __entered_moments
        on {{ strandline._same_window(task, '__lives', '__entered_moments') }}
        and __lives.__change = __entered_moments.__change
    {%- endif %}
    {%- if run.is_stored %}
    left join (
        select * from {{ run.stored }} where window_part = 'open' and row_kind = 'row'
    ) as __stored on {{ strandline._same_window(task, '__lives', '__stored') }}
        and __lives.__life = 0
    {%- endif %}
),

__totals as (
    select
        *
        {%- for aggregate in aggregates %},
        {{ strandline._total_value(aggregate, loop.index, run) }}
            as {{ strandline._quoted(aggregate.name) }}
        {%- endfor %}
    from __merged
),
{%- endif -%}
{%- endmacro %}

{#- The type of what a version keeps of its aggregates that are `entrance only`. -#}
{% macro _totals_type() %}
    {{- return('array<struct<n: bigint, mean: double, m2: double, m3: double, m4: double, '
        ~ 'logs: double, least: double>>') -}}
{% endmacro %}

{#- A running aggregate over what entered, from the part of each change. -#}
{% macro _running_total(aggregate, life) -%}
{%- set part = strandline._aggregate_part('new', aggregate) -%}
{%- set over = ' over (' ~ life ~ ' rows unbounded preceding)' -%}
{%- if aggregate.function == 'sum' -%}
cast(sum({{ part }}){{ over }} as {{ aggregate.exact }})
{%- else -%}
{{ 'sum' if aggregate.function == 'count' else aggregate.function }}({{ part }}){{ over }}
{%- endif -%}
{%- endmacro %}

{#- The value of an aggregate that is `entrance only`, from the stored version and this run. -#}
{% macro _total_value(aggregate, index, run) -%}
{%- set value = strandline._aggregate_part('value', aggregate) -%}
{%- set stored = strandline._aggregate_part('stored', aggregate) if run.is_stored else none -%}
{%- if aggregate.function in ['min', 'max'] -%}
    {%- set merge = 'least' if aggregate.function == 'min' else 'greatest' -%}
    {%- set sql = merge ~ '(' ~ stored ~ ', ' ~ value ~ ')' if stored else value -%}
{%- elif aggregate.function in ['sum', 'count', 'sumsq'] -%}
    {%- set sql = value if not stored
        else 'coalesce(' ~ stored ~ ' + ' ~ value ~ ', ' ~ stored ~ ', ' ~ value ~ ')' -%}
{%- else -%}
    {%- set x = 'window_totals[' ~ (index - 1) ~ '].' -%}
    {%- set n, m2 = x ~ 'n', x ~ 'm2' -%}
    {%- set sql = {
        'avg': 'if(' ~ n ~ ' > 0, ' ~ x ~ 'mean, null)',
        'variance': 'if(' ~ n ~ ' > 1, ' ~ m2 ~ ' / (' ~ n ~ ' - 1), null)',
        'stddev': 'if(' ~ n ~ ' > 1, sqrt(' ~ m2 ~ ' / (' ~ n ~ ' - 1)), null)',
        'geometric_mean': strandline._geometric_mean(x ~ 'least', x ~ 'logs / ' ~ n),
        'skewness': strandline._sample_skewness(n, '(sqrt(cast(' ~ n ~ ' as double)) * ' ~ x
            ~ 'm3 / nullif(pow(' ~ m2 ~ ', 1.5D), 0))'),
        'kurtosis': strandline._sample_kurtosis(n, '(' ~ n ~ ' * ' ~ x ~ 'm4 / nullif(' ~ m2 ~ ' * '
            ~ m2 ~ ', 0) - 3)'),
    }[aggregate.function] -%}
{%- endif -%}
{{- return(strandline._finite(sql, aggregate)) -}}
{%- endmacro %}

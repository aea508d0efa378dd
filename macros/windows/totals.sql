{#- The CTE `totals`: `filled` with the aggregates that are `entrance only`. They are running
    aggregates over the rows that entered, in the order of changes. A window that has ended starts
    from nothing; otherwise the first change of a run goes on from the stored version. -#}
{% macro _totals(task, run, line) -%}
{%- set aggregates = task.aggregates | selectattr('entrance') | list -%}
{%- set keys = task['keys'] + ['window_number'] -%}
{%- if not aggregates -%}
totals as (select *, cast(array() as {{ strandline._totals_type() }}) as window_totals from filled),
{%- else -%}
{%- set life = 'over (partition by ' ~ (task['keys'] + ['window_life']) | join(', ')
    ~ ' order by window_number)' -%}
lives as (
    select {{ keys | join(', ') }}, {{ '0L' if task.pinned else 'count_if(window_rows = 0) over ('
        ~ line ~ ' order by window_number rows between unbounded preceding and 1 preceding)' }}
        as window_life
    from filled
),

entering as (
    select
        lives.*, spans.entry as window_entry
        {%- for column in task.columns if column not in task['keys'] %}, spans.{{ column }}
        {%- endfor %}
    from lives
    left join spans on {{ strandline._same_window(task, 'lives', 'spans') }}
        and lives.window_number = spans.window_first and not spans.window_is_old
),

running as (
    select
        {{ keys | join(', ') }}, any_value(window_life) as window_life
        {%- for aggregate in aggregates %},
        any_value(window_part_{{ loop.index }}) as window_part_{{ loop.index }}
        {%- endfor %}
    from (
        select
            *
            {%- for aggregate in aggregates %},
            {{ strandline._running_part(aggregate, life) }} as window_part_{{ loop.index }}
            {%- endfor %}
        from entering
    )
    group by {{ keys | join(', ') }}
),

merged as (
    select
        filled.*,
        {%- for aggregate in aggregates %}
        running.window_part_{{ loop.index }}.value as window_value_{{ loop.index }},
        {%- if run.is_stored %}
        former.window_values.{{ aggregate.name }} as window_stored_{{ loop.index }},
        {%- endif %}
        {%- endfor %}
        array(
            {%- for aggregate in aggregates -%}
            {{ strandline._merged_part(loop.index, run) }}{{ ', ' if not loop.last }}
            {%- endfor %}) as window_totals
    from filled
    inner join running on {{ strandline._same_window(task, 'filled', 'running') }}
        and filled.window_number = running.window_number
    {%- if run.is_stored %}
    left join (
        select * from {{ run.stored }} where window_part = 'open' and row_kind = 'row'
    ) as former on {{ strandline._same_window(task, 'filled', 'former') }}
        and running.window_life = 0
    {%- endif %}
),

totals as (
    select
        *
        {%- for aggregate in aggregates %},
        {{ strandline._total_value(aggregate, loop.index, run) }} as {{ aggregate.name }}
        {%- endfor %}
    from merged
),
{%- endif -%}
{%- endmacro %}

{#- The type of what a version keeps of its aggregates that are `entrance only`. -#}
{% macro _totals_type() %}
    {{- return('array<struct<n: bigint, mean: double, m2: double, m3: double, m4: double, '
        ~ 'logs: double, least: double>>') -}}
{% endmacro %}

{#- The running part of one aggregate in this run: its value in its own type, and the count, the
    mean and the central moments as sums. -#}
{% macro _running_part(aggregate, life) -%}
{#- A change in which no row enters has no value: `count(*)` would count it. -#}
{%- set x = 'if(window_entry is null, null, ' ~ ('1' if aggregate.argument == '*'
    else aggregate.argument) ~ ')' -%}
{%- set value = {'sum': 'sum(' ~ x ~ ') ' ~ life, 'min': 'min(' ~ x ~ ') ' ~ life,
    'max': 'max(' ~ x ~ ') ' ~ life, 'count': 'count(' ~ x ~ ') ' ~ life,
    'sumsq': 'sum(cast(' ~ x ~ ' as double) * ' ~ x ~ ') ' ~ life}.get(aggregate.function, '0D') -%}
{%- set d = 'cast(' ~ x ~ ' as double)' -%}
{%- set n, spread = 'count(' ~ x ~ ') ' ~ life, 'var_pop(' ~ d ~ ') ' ~ life -%}
{%- if aggregate.function in ['sum', 'min', 'max', 'count', 'sumsq'] -%}
named_struct('value', {{ value }}, 'part', cast(null as struct<
    {{- strandline._totals_type()[13:-2] }}>))
{%- else -%}
named_struct('value', 0D, 'part', named_struct(
    'n', {{ n }}, 'mean', coalesce(avg({{ d }}) {{ life }}, 0D),
    'm2', coalesce({{ n }} * {{ spread }}, 0D),
    'm3', coalesce({{ n }} * pow({{ spread }}, 1.5D) * skewness({{ d }}) {{ life }}, 0D),
    'm4', coalesce({{ n }} * pow({{ spread }}, 2D) * (kurtosis({{ d }}) {{ life }} + 3), 0D),
    'logs', coalesce(sum(ln({{ d }})) {{ life }}, 0D), 'least', min({{ d }}) {{ life }}))
{%- endif -%}
{%- endmacro %}

{#- The part of the stored version merged with that of this run. -#}
{% macro _merged_part(index, run) -%}
{%- set added = 'running.window_part_' ~ index ~ '.part' -%}
{%- if not run.is_stored -%}{{- return(added) -}}{%- endif -%}
{%- set stored = 'former.window_totals[' ~ (index - 1) ~ ']' -%}
case
            when {{ stored }} is null or {{ stored }}.n = 0 then {{ added }}
            when {{ added }}.n = 0 then {{ stored }}
            else {{ strandline._joined_moments(stored, added) }}
        end
{%- endmacro %}

{#- The count, mean and central moments of two sets of values together. -#}
{% macro _joined_moments(a, b) -%}
{%- set sql -%}
transform(array(named_struct('a', {{ a }}, 'b', {{ b }})), x -> named_struct(
    'n', x.a.n + x.b.n,
    'mean', x.a.mean + (x.b.mean - x.a.mean) * x.b.n / (x.a.n + x.b.n),
    'm2', x.a.m2 + x.b.m2 + pow(x.b.mean - x.a.mean, 2D) * x.a.n * x.b.n / (x.a.n + x.b.n),
    'm3', x.a.m3 + x.b.m3
        + pow(x.b.mean - x.a.mean, 3D) * x.a.n * x.b.n * (x.a.n - x.b.n) / pow(x.a.n + x.b.n, 2D)
        + 3 * (x.b.mean - x.a.mean) * (x.a.n * x.b.m2 - x.b.n * x.a.m2) / (x.a.n + x.b.n),
    'm4', x.a.m4 + x.b.m4
        + pow(x.b.mean - x.a.mean, 4D) * x.a.n * x.b.n
            * (x.a.n * x.a.n - x.a.n * x.b.n + x.b.n * x.b.n) / pow(x.a.n + x.b.n, 3D)
        + 6 * pow(x.b.mean - x.a.mean, 2D)
            * (x.a.n * x.a.n * x.b.m2 + x.b.n * x.b.n * x.a.m2) / pow(x.a.n + x.b.n, 2D)
        + 4 * (x.b.mean - x.a.mean) * (x.a.n * x.b.m3 - x.b.n * x.a.m3) / (x.a.n + x.b.n),
    'logs', x.a.logs + x.b.logs, 'least', least(x.a.least, x.b.least)))[0]
{%- endset -%}
{{- return(sql) -}}
{%- endmacro %}

{#- The value of an aggregate that is `entrance only`, from the stored version and this run. -#}
{% macro _total_value(aggregate, index, run) -%}
{%- set value = 'window_value_' ~ index -%}
{%- set stored = 'window_stored_' ~ index if run.is_stored else none -%}
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

{#- The CTE `entered_moments`: per change, the aggregates that are `entrance only` over the rows of
    this run that entered until then, where they need the rows themselves. -#}
{% macro _entered_moments(task, aggregates, life) -%}
{%- set keys = task['keys'] + ['window_number'] -%}
entered_moments as (
    select
        {{ keys | join(', ') }}
        {%- for aggregate in aggregates %},
        any_value(window_part_{{ aggregate.name }}) as window_part_{{ aggregate.name }}
        {%- endfor %}
    from (
        select
            {{ keys | join(', ') }}
            {%- for aggregate in aggregates %},
            {{ strandline._entered_part(aggregate, 'over (' ~ life ~ ')') }}
                as window_part_{{ aggregate.name }}
            {%- endfor %}
        from (
            select
                lives.{{ keys | join(', lives.') }},
                lives.window_life, spans.entry as window_entry
                {%- for column in task.columns if column not in task['keys'] %},
                spans.{{ column }}
                {%- endfor %}
            from lives
            left join spans on {{ strandline._same_window(task, 'lives', 'spans') }}
                and lives.window_number = spans.window_first and not spans.window_is_old
        )
    )
    group by {{ keys | join(', ') }}
),
{%- endmacro %}

{#- The running part of one aggregate in this run: a sum, or the count, the mean and the central
    moments as sums. The mean of equal values is exactly this value. -#}
{% macro _entered_part(aggregate, life) -%}
{#- A change in which no row enters has no value: `count(*)` would count it. -#}
{%- set x = 'if(window_entry is null, null, ' ~ ('1' if aggregate.argument == '*'
    else aggregate.argument) ~ ')' -%}
{%- set d = 'cast(' ~ x ~ ' as double)' -%}
{%- set n, spread = 'count(' ~ x ~ ') ' ~ life, 'var_pop(' ~ d ~ ') ' ~ life -%}
{%- if aggregate.function == 'sum' -%}
sum({{ x }}) {{ life }}
{%- elif aggregate.function == 'sumsq' -%}
sum({{ d }} * {{ x }}) {{ life }}
{%- else -%}
named_struct(
    'n', {{ n }}, 'mean', coalesce(if(min({{ d }}) {{ life }} = max({{ d }}) {{ life }},
        min({{ d }}) {{ life }}, avg({{ d }}) {{ life }}), 0D),
    'm2', coalesce({{ n }} * {{ spread }}, 0D),
    'm3', coalesce({{ n }} * pow({{ spread }}, 1.5D) * skewness({{ d }}) {{ life }}, 0D),
    'm4', coalesce({{ n }} * pow({{ spread }}, 2D) * (kurtosis({{ d }}) {{ life }} + 3), 0D),
    'logs', coalesce(sum(ln({{ d }})) {{ life }}, 0D), 'least', min({{ d }}) {{ life }})
{%- endif -%}
{%- endmacro %}

{#- The part of the stored version merged with that of this run. -#}
{% macro _merged_part(aggregate, index, run) -%}
{%- set added = 'entered_moments.window_part_' ~ aggregate.name -%}
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

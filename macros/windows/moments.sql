{#- The CTE `__entered_moments`: per change, the aggregates that are `entrance only` over the rows
    of this run that entered until then, where they need the rows themselves. -#}
{% macro _entered_moments(task, aggregates, life) -%}
{%- set own = strandline._all_quoted(task['keys']) -%}
{%- set keys = own + ['__change'] -%}
__entered_moments as (
    select
        {{ keys | join(', ') }}
        {%- for aggregate in aggregates %},
        any_value({{ strandline._aggregate_part('part', aggregate) }})
            as {{ strandline._aggregate_part('part', aggregate) }}
        {%- endfor %}
    from (
        select
            {{ keys | join(', ') }}
            {%- for aggregate in aggregates %},
            {{ strandline._entered_part(aggregate, 'over (' ~ life ~ ')') }}
                as {{ strandline._aggregate_part('part', aggregate) }}
            {%- endfor %}
        from (
            select
                __lives.{{ keys | join(', __lives.') }},
                __lives.__life, __spans.entry as __entry
                {%- for column in strandline._all_quoted(task.columns) if column not in own %},
                __spans.{{ column }}
                {%- endfor %}
            from __lives
            left join __spans on {{ strandline._same_window(task, '__lives', '__spans') }}
                and __lives.__change = __spans.__first and not __spans.__is_old
        )
    )
    group by {{ keys | join(', ') }}
),
{%- endmacro %}

{#- The running part of one aggregate in this run: a sum, or the count, the mean and the central
    moments as sums. The mean of equal values is exactly this value. -#}
{% macro _entered_part(aggregate, life) -%}
{#- A change in which no row enters has no value: `count(*)` would count it. -#}
{%- set x = 'if(__entry is null, null, ' ~ ('1' if aggregate.argument == '*'
    else strandline._window_argument(aggregate)) ~ ')' -%}
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
{%- set added = '__entered_moments.' ~ strandline._aggregate_part('part', aggregate) -%}
{%- if not run.is_stored -%}{{- return(added) -}}{%- endif -%}
{%- set stored = '__stored.window_totals[' ~ (index - 1) ~ ']' -%}
case
            when {{ stored }} is null or {{ stored }}.n = 0 then {{ added }}
            when {{ added }}.n = 0 then {{ stored }}
            else {{ strandline._joined_moments(stored, added) }}
        end
{%- endmacro %}

{#- The count, mean and central moments of two sets of values together. -#}
{% macro _joined_moments(a, b) -%}
{%- set sql -%}
zip_with(array({{ a }}), array({{ b }}), (__a, __b) -> named_struct(
    'n', __a.n + __b.n,
    'mean', __a.mean + (__b.mean - __a.mean) * __b.n / (__a.n + __b.n),
    'm2', __a.m2 + __b.m2 + pow(__b.mean - __a.mean, 2D) * __a.n * __b.n / (__a.n + __b.n),
    'm3', __a.m3 + __b.m3
        + pow(__b.mean - __a.mean, 3D) * __a.n * __b.n * (__a.n - __b.n) / pow(__a.n + __b.n, 2D)
        + 3 * (__b.mean - __a.mean) * (__a.n * __b.m2 - __b.n * __a.m2) / (__a.n + __b.n),
    'm4', __a.m4 + __b.m4
        + pow(__b.mean - __a.mean, 4D) * __a.n * __b.n
            * (__a.n * __a.n - __a.n * __b.n + __b.n * __b.n) / pow(__a.n + __b.n, 3D)
        + 6 * pow(__b.mean - __a.mean, 2D)
            * (__a.n * __a.n * __b.m2 + __b.n * __b.n * __a.m2) / pow(__a.n + __b.n, 2D)
        + 4 * (__b.mean - __a.mean) * (__a.n * __b.m3 - __b.n * __a.m3) / (__a.n + __b.n),
    'logs', __a.logs + __b.logs, 'least', least(__a.least, __b.least)))[0]
{%- endset -%}
{{- return(sql) -}}
{%- endmacro %}

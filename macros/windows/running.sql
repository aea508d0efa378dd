{#- The CTE `__changes`: the cycles in which the content of a window changes, numbered per window,
    with the rows inside after each. Counts, and sums of whole and decimal numbers, are running sums
    of what enters less what leaves: they are exact, and cost one step per change.

    __sum_<name>, __count_<name>   the sum and the count of the rows inside
    __new_<name>                       the aggregate of the rows that enter in the change -#}
{% macro _window_changes(task, line) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set running = line ~ ' order by ' ~ strandline._in_order('__cycle')
    ~ ' rows unbounded preceding' -%}
__changes as (
    select
        {{ (keys + ['__cycle', '__place']) | join(', ') }},
        row_number() over ({{ line }} order by {{ strandline._in_order('__cycle') }})
            as __change,
        sum(__rows) over ({{ running }}) as __rows
        {%- for aggregate in task.aggregates if strandline._is_running(aggregate) %},
        {%- if aggregate.entrance %}
        {{ strandline._aggregate_part('new', aggregate) }}
        {%- else %}
        sum({{ strandline._aggregate_part('count', aggregate) }}) over ({{ running }})
            as {{ strandline._aggregate_part('count', aggregate) }}
        {%- if aggregate.function != 'count' %},
        sum({{ strandline._aggregate_part('sum', aggregate) }}) over ({{ running }})
            as {{ strandline._aggregate_part('sum', aggregate) }}
        {%- endif %}
        {%- endif %}
        {%- endfor %}
    from (
        select
            {{ (keys + ['__cycle']) | join(', ') }}, min(__place) as __place,
            sum(if(__enters, 1, -1)) as __rows
            {%- for aggregate in task.aggregates if strandline._is_running(aggregate) %},
            {{ strandline._change_of(aggregate) | indent(12) }}
            {%- endfor %}
        from __moves
        group by {{ (keys + ['__cycle']) | join(', ') }}
    )
),
{%- endmacro %}

{#- What one change adds to a running aggregate. -#}
{% macro _change_of(aggregate) -%}
{%- set x = '1' if aggregate.argument == '*' else strandline._window_argument(aggregate) -%}
{%- set number = 'cast(' ~ x ~ ' as ' ~ aggregate.exact ~ ')' -%}
{%- if aggregate.entrance -%}
{{ aggregate.function }}(if(__enters, {{ x }}, null))
    as {{ strandline._aggregate_part('new', aggregate) }}
{%- else -%}
sum(case when {{ x }} is null then 0 when __enters then 1 else -1 end)
    as {{ strandline._aggregate_part('count', aggregate) }}
{%- if aggregate.function != 'count' %},
sum(if(__enters, {{ number }}, -{{ number }})) as {{ strandline._aggregate_part('sum', aggregate) }}
{%- endif %}
{%- endif -%}
{%- endmacro %}

{#- Whether an aggregate needs no rows but what enters and leaves in each change: counts, exact sums
    and their averages, and with `entrance only` also the least and the greatest. -#}
{% macro _is_running(aggregate) %}
    {{- return(aggregate.function == 'count'
        or (aggregate.entrance and aggregate.function in ['min', 'max'])
        or (aggregate.exact is not none and (aggregate.function == 'sum'
            or (aggregate.function == 'avg' and not aggregate.entrance)))) -}}
{% endmacro %}

{#- The type of an exact sum over a column of a type; none if sums of it are not exact. -#}
{% macro _running_sum_type(type) %}
    {%- set decimal = modules.re.match('^decimal\\((\\d+),(\\d+)\\)$', type) -%}
    {%- if type in ['tinyint', 'smallint', 'int', 'bigint'] -%}
        {{- return('bigint') -}}
    {%- elif decimal -%}
        {{- return('decimal(' ~ [38, decimal.group(1) | int + 10] | min ~ ',' ~ decimal.group(2)
            ~ ')') -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}

{#- The value of an aggregate over the rows inside, after a change. -#}
{% macro _inside_value(aggregate) %}
    {%- set count = strandline._aggregate_part('count', aggregate) -%}
    {%- set sum = strandline._aggregate_part('sum', aggregate) -%}
    {%- if not strandline._is_running(aggregate) -%}
        {%- set value = strandline._aggregate_part('inside', aggregate) -%}
        {{- return(value if aggregate.function != 'own'
            else 'if(__rows = 0, ' ~ aggregate.empty ~ ', ' ~ value ~ ')') -}}
    {%- endif -%}
    {{- return({'count': count,
        'sum': 'if(' ~ count ~ ' = 0, null, cast(' ~ sum ~ ' as ' ~ aggregate.exact ~ '))',
        'avg': 'if(' ~ count ~ ' = 0, null, cast(' ~ sum ~ ' as double) / ' ~ count ~ ')',
    }[aggregate.function]) -}}
{% endmacro %}

{#- The fields of a cycle, for `order by`: Spark sorts them faster than the struct. -#}
{% macro _in_order(cycle) %}
    {{- return(cycle ~ '.at, ' ~ cycle ~ '.arrival, ' ~ cycle ~ '.step') -}}
{% endmacro %}

{#- The internal column of a part of an aggregate, quoted: `__sum_<name>` for the kind `sum`. -#}
{% macro _aggregate_part(kind, aggregate) %}
    {{- return(strandline._quoted('__' ~ kind ~ '_' ~ aggregate.name)) -}}
{% endmacro %}

{#- The CTE `changes`: the cycles in which the content of a window changes, numbered per window,
    with the rows inside after each. Counts, and sums of whole and decimal numbers, are running sums
    of what enters less what leaves: they are exact, and cost one step per change.

    window_in_<name>, window_count_<name>   the sum and the count of the rows inside
    window_new_<name>                       the aggregate of the rows that enter in the change -#}
{% macro _window_changes(task, line) -%}
{%- set keys = task['keys'] -%}
{%- set running = line ~ ' order by ' ~ strandline._in_order('window_cycle')
    ~ ' rows unbounded preceding' -%}
changes as (
    select
        {{ (keys + ['window_cycle', 'window_place']) | join(', ') }},
        row_number() over ({{ line }} order by {{ strandline._in_order('window_cycle') }})
            as window_number,
        sum(window_rows) over ({{ running }}) as window_rows
        {%- for aggregate in task.aggregates if strandline._is_running(aggregate) %},
        {%- if aggregate.entrance %}
        window_new_{{ aggregate.name }}
        {%- else %}
        sum(window_count_{{ aggregate.name }}) over ({{ running }})
            as window_count_{{ aggregate.name }}
        {%- if aggregate.function != 'count' %},
        sum(window_in_{{ aggregate.name }}) over ({{ running }}) as window_in_{{ aggregate.name }}
        {%- endif %}
        {%- endif %}
        {%- endfor %}
    from (
        select
            {{ (keys + ['window_cycle']) | join(', ') }}, min(window_place) as window_place,
            sum(if(window_enters, 1, -1)) as window_rows
            {%- for aggregate in task.aggregates if strandline._is_running(aggregate) %},
            {{ strandline._change_of(aggregate) | indent(12) }}
            {%- endfor %}
        from moves
        group by {{ (keys + ['window_cycle']) | join(', ') }}
    )
),
{%- endmacro %}

{#- What one change adds to a running aggregate. -#}
{% macro _change_of(aggregate) -%}
{%- set name = aggregate.name -%}
{%- set x = '1' if aggregate.argument == '*' else aggregate.argument -%}
{%- set number = 'cast(' ~ x ~ ' as ' ~ aggregate.exact ~ ')' -%}
{%- if aggregate.entrance -%}
{{ aggregate.function }}(if(window_enters, {{ x }}, null)) as window_new_{{ name }}
{%- else -%}
sum(case when {{ x }} is null then 0 when window_enters then 1 else -1 end)
    as window_count_{{ name }}
{%- if aggregate.function != 'count' %},
sum(if(window_enters, {{ number }}, -{{ number }})) as window_in_{{ name }}
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
    {%- set name, count = aggregate.name, 'window_count_' ~ aggregate.name -%}
    {%- set sum = 'window_in_' ~ name -%}
    {%- if not strandline._is_running(aggregate) -%}
        {%- set value = 'window_of_' ~ name -%}
        {{- return(value if aggregate.function != 'own'
            else 'if(window_rows = 0, ' ~ aggregate.empty ~ ', ' ~ value ~ ')') -}}
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

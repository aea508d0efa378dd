{#- The CTE `__changes` for aggregates that are no running sums, such as a median: they are computed
    over the rows inside, per change. Each row is counted in the changes of its window from the one
    in which it enters to the one before it leaves; no row is compared with all others of its
    window. All steps work on rows that are partitioned by the keys once.

    __ordered  the spans by what is aggregated
    __counts   per change, the rows inside and those that leave -#}
{% macro _counted_changes(task, line, inside, depth) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set running = [] -%}
{%- for aggregate in task.aggregates if strandline._is_running(aggregate) -%}
    {%- do running.append(aggregate) -%}
{%- endfor -%}
{%- set summed = strandline._summed_columns(inside) -%}
{%- set cycle = strandline._cycle_fields(depth) -%}
{{ strandline._spans(task, line, cycle) }},

-- Rows of equal values are added in one order, so equal contents have equal bits.
__ordered as (
    select * from __spans
    {%- if summed %}
    sort by {{ summed | join(', ') }}, entry
    {%- endif %}
),

__counts as (
    select
        {{ (keys + ['__change', '__is_inside']) | join(', ') }},
        {%- for _, name in cycle %}
        max(case when __change = __end then __expelled_{{ name }}
            when __change = __first then __entered_{{ name }} end)
            as __cycle_{{ name }},
        {%- endfor %}
        min(case when __change = __end then __exit
            when __change = __first then entry end) as __place,
        count(*) as __count
        {%- for aggregate in running %},
        {{ strandline._counted_part(aggregate) }}
        {%- endfor %}
        {%- for aggregate in inside %},
        {{ strandline._aggregate_sql(aggregate) }}
            as {{ strandline._aggregate_part('inside', aggregate) }}
        {%- endfor %}
    from (
        select *, __change < __end as __is_inside
        from (
            select *, explode(sequence(__first, least(__end, __last)))
                as __change
            from __ordered
        )
    )
    group by {{ (keys + ['__change', '__is_inside']) | join(', ') }}
),

__changes as (
    select
        {{ (keys + ['__change']) | join(', ') }},
        if(max(__cycle_step_0) is null, null, named_struct('at', max(__cycle_at),
            'arrival', max(__cycle_arrival), 'step', array({% for number in range(depth) -%}
            max(__cycle_step_{{ number }}){{ ', ' if not loop.last }}{% endfor %})))
            as __cycle,
        min(__place) as __place,
        sum(if(__is_inside, __count, 0)) as __rows
        {%- for aggregate in running + inside %}
        {%- for column, default in strandline._counted_columns(aggregate) %},
        coalesce(any_value(if(__is_inside, {{ column }}, null), true), {{ default }})
            as {{ column }}
        {%- endfor %}
        {%- endfor %}
    from __counts
    group by {{ (keys + ['__change']) | join(', ') }}
),
{%- endmacro %}

{#- The parts of a running aggregate over the rows inside a change, and of what enters in it. -#}
{% macro _counted_part(aggregate) -%}
{%- set x = '1' if aggregate.argument == '*' else strandline._window_argument(aggregate) -%}
{%- if aggregate.entrance -%}
{{ aggregate.function }}(if(__change = __first and not __is_old, {{ x }}, null))
            as {{ strandline._aggregate_part('new', aggregate) }}
{%- else -%}
count({{ x }}) as {{ strandline._aggregate_part('count', aggregate) }}
{%- if aggregate.function != 'count' %},
        sum(cast({{ x }} as {{ aggregate.exact }}))
            as {{ strandline._aggregate_part('sum', aggregate) }}
{%- endif %}
{%- endif -%}
{%- endmacro %}

{#- The fields of a cycle and their names. Spark aggregates numbers by hash, but structs by sorting:
    that would sort each row once for each change in which it is inside. -#}
{% macro _cycle_fields(depth) %}
    {%- set fields = [['at', 'at'], ['arrival', 'arrival']] -%}
    {%- for number in range(depth) -%}
        {%- do fields.append(['step[' ~ number ~ ']', 'step_' ~ number]) -%}
    {%- endfor -%}
    {{- return(fields) -}}
{% endmacro %}

{#- The columns of `__counts` for an aggregate, each with its value where no row is inside. -#}
{% macro _counted_columns(aggregate) %}
    {%- set count = aggregate.function == 'count' -%}
    {%- if not strandline._is_running(aggregate) -%}
        {{- return([[strandline._aggregate_part('inside', aggregate), 'null']]) -}}
    {%- elif aggregate.entrance -%}
        {{- return([[strandline._aggregate_part('new', aggregate), '0' if count else 'null']]) -}}
    {%- endif -%}
    {{- return([[strandline._aggregate_part('count', aggregate), '0']]
        + ([] if count else [[strandline._aggregate_part('sum', aggregate), 'null']])) -}}
{% endmacro %}

{#- The expressions whose sums depend on the order of the rows. The text of an own aggregate is not
    read: its rows come in the order of entry. -#}
{% macro _summed_columns(aggregates) %}
    {%- set summed = [] -%}
    {%- for aggregate in aggregates -%}
        {%- if aggregate.function == 'own' -%}
            {%- do summed.append('entry') -%}
        {%- elif aggregate.function not in ['count', 'min', 'max', 'median'] -%}
            {%- do summed.append('cast(' ~ strandline._window_argument(aggregate)
                ~ ' as double)') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(summed | unique | sort | list) -}}
{% endmacro %}

{#- The CTE `changes` for aggregates that are no running sums, such as a median: they are computed
    over the rows inside, per change. Each row is counted in the changes of its window from the one
    in which it enters to the one before it leaves; no row is compared with all others of its
    window. All steps work on rows that are partitioned by the keys once.

    ordered    the spans by what is aggregated
    counts     per change, the rows inside and those that leave -#}
{% macro _counted_changes(task, line, inside, depth) -%}
{%- set keys = task['keys'] -%}
{%- set running = [] -%}
{%- for aggregate in task.aggregates if strandline._is_running(aggregate) -%}
    {%- do running.append(aggregate) -%}
{%- endfor -%}
{%- set summed = strandline._summed_columns(inside) -%}
{%- set cycle = strandline._cycle_fields(depth) -%}
{{ strandline._spans(task, line, cycle) }},

-- Rows of equal values are added in one order, so equal contents have equal bits.
ordered as (
    select * from spans
    {%- if summed %}
    sort by {{ summed | join(', ') }}, entry
    {%- endif %}
),

counts as (
    select
        {{ (keys + ['window_number', 'window_is_inside']) | join(', ') }},
        {%- for _, name in cycle %}
        max(case when window_number = window_end then window_left_{{ name }}
            when window_number = window_first then window_came_{{ name }} end)
            as window_cycle_{{ name }},
        {%- endfor %}
        min(case when window_number = window_end then window_exit
            when window_number = window_first then entry end) as window_place,
        count(*) as window_count
        {%- for aggregate in running %},
        {{ strandline._counted_part(aggregate) }}
        {%- endfor %}
        {%- for aggregate in inside %},
        {{ strandline._aggregate_sql(aggregate) }} as window_of_{{ aggregate.name }}
        {%- endfor %}
    from (
        select *, window_number < window_end as window_is_inside
        from (
            select *, explode(sequence(window_first, least(window_end, window_last)))
                as window_number
            from ordered
        )
    )
    group by {{ (keys + ['window_number', 'window_is_inside']) | join(', ') }}
),

changes as (
    select
        {{ (keys + ['window_number']) | join(', ') }},
        if(max(window_cycle_step_0) is null, null, named_struct('at', max(window_cycle_at),
            'arrival', max(window_cycle_arrival), 'step', array({% for number in range(depth) -%}
            max(window_cycle_step_{{ number }}){{ ', ' if not loop.last }}{% endfor %})))
            as window_cycle,
        min(window_place) as window_place,
        sum(if(window_is_inside, window_count, 0)) as window_rows
        {%- for aggregate in running + inside %}
        {%- for column, default in strandline._counted_columns(aggregate) %},
        coalesce(any_value(if(window_is_inside, {{ column }}, null), true), {{ default }})
            as {{ column }}
        {%- endfor %}
        {%- endfor %}
    from counts
    group by {{ (keys + ['window_number']) | join(', ') }}
),
{%- endmacro %}

{#- The parts of a running aggregate over the rows inside a change, and of what enters in it. -#}
{% macro _counted_part(aggregate) -%}
{%- set name = aggregate.name -%}
{%- set x = '1' if aggregate.argument == '*' else aggregate.argument -%}
{%- if aggregate.entrance -%}
{{ aggregate.function }}(if(window_number = window_first and not window_is_old, {{ x }}, null))
            as window_new_{{ name }}
{%- else -%}
count({{ x }}) as window_count_{{ name }}
{%- if aggregate.function != 'count' %},
        sum(cast({{ x }} as {{ aggregate.exact }})) as window_in_{{ name }}
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

{#- The columns of `counts` for an aggregate, each with its value where no row is inside. -#}
{% macro _counted_columns(aggregate) %}
    {%- set name, count = aggregate.name, aggregate.function == 'count' -%}
    {%- if not strandline._is_running(aggregate) -%}
        {{- return([['window_of_' ~ name, 'null']]) -}}
    {%- elif aggregate.entrance -%}
        {{- return([['window_new_' ~ name, '0' if count else 'null']]) -}}
    {%- endif -%}
    {{- return([['window_count_' ~ name, '0']]
        + ([] if count else [['window_in_' ~ name, 'null']])) -}}
{% endmacro %}

{#- The expressions whose sums depend on the order of the rows. The text of an own aggregate is not
    read: its rows come in the order of entry. -#}
{% macro _summed_columns(aggregates) %}
    {%- set summed = [] -%}
    {%- for aggregate in aggregates -%}
        {%- if aggregate.function == 'own' -%}
            {%- do summed.append('entry') -%}
        {%- elif aggregate.function not in ['count', 'min', 'max', 'median'] -%}
            {%- do summed.append('cast(' ~ aggregate.argument ~ ' as double)') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(summed | unique | sort | list) -}}
{% endmacro %}

{#- The CTEs that end in `contents`: the aggregates over the rows inside, per change, that are no
    running sums. Each row is counted in the changes of its window from the one in which it enters
    to the one before it leaves; no row is compared with all others of its window.

    spans      the rows, with the first change in which they are inside and the one in which not
    ordered    the spans by what is aggregated -#}
{% macro _contents(task, line, counted) -%}
{%- set keys = task['keys'] -%}
{%- set changed = (keys + ['window_number']) | join(', ') -%}
{%- set inside = counted | rejectattr('entrance') | list -%}
spans as (
    select
        {{ (keys + ['entry']) | join(', ') }}, any_value(window_is_old) as window_is_old,
        {%- for column in task.columns if column not in keys %}
        any_value({{ column }}) as {{ column }},
        {%- endfor %}
        max(if(window_enters, window_number, null)) as window_first,
        coalesce(max(if(window_enters, null, window_number)), max(window_last) + 1) as window_end
    from (
        select *, max(window_number) over ({{ line }}) as window_last
        from (
            select *, dense_rank() over ({{ line }} order by {{
                strandline._in_order('window_cycle') }}) as window_number
            from moves
        )
    )
    group by {{ (keys + ['entry']) | join(', ') }}
),
{%- if inside %}
{%- set summed = strandline._summed_columns(inside) %}

-- Rows of equal values are added in one order, so equal contents have equal bits.
ordered as (
    select * from spans
    {%- if summed %}
    sort by {{ summed | join(', ') }}, entry
    {%- endif %}
),

contents as (
    select
        {{ changed }}
        {%- for aggregate in inside %},
        {{ strandline._aggregate_sql(aggregate) }} as {{ aggregate.name }}
        {%- endfor %}
    from (
        select *, explode(sequence(window_first, window_end - 1)) as window_number
        from ordered
    )
    group by {{ changed }}
),
{%- endif %}
{%- endmacro %}

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

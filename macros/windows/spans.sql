{#- The CTE `__spans`, from `__moves`: the rows, with the number of the first change in which they
    are inside and of the one in which they are not any more; with these cycles, field by field. -#}
{% macro _spans(task, line, cycle=[]) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
__spans as (
    select
        {{ (keys + ['entry']) | join(', ') }}, any_value(__is_old) as __is_old,
        {%- for column in strandline._all_quoted(task.columns) if column not in keys %}
        any_value({{ column }}) as {{ column }},
        {%- endfor %}
        {%- for field, name in cycle %}
        max(if(__enters, __cycle.{{ field }}, null)) as __entered_{{ name }},
        max(if(__enters, null, __cycle.{{ field }})) as __expelled_{{ name }},
        {%- endfor %}
        max(if(__enters, null, __place)) as __exit,
        max(__last) as __last,
        max(if(__enters, __change, null)) as __first,
        coalesce(max(if(__enters, null, __change)), max(__last) + 1) as __end
    from (
        select *, max(__change) over ({{ line }}) as __last
        from (
            select *, dense_rank() over ({{ line }} order by {{
                strandline._in_order('__cycle') }}) as __change
            from __moves
        )
    )
    group by {{ (keys + ['entry']) | join(', ') }}
)
{%- endmacro %}

{#- The CTE `spans`, from `moves`: the rows, with the number of the first change in which they are
    inside and of the one in which they are not any more; with these cycles, field by field. -#}
{% macro _spans(task, line, cycle=[]) -%}
{%- set keys = task['keys'] -%}
spans as (
    select
        {{ (keys + ['entry']) | join(', ') }}, any_value(window_is_old) as window_is_old,
        {%- for column in task.columns if column not in keys %}
        any_value({{ column }}) as {{ column }},
        {%- endfor %}
        {%- for field, name in cycle %}
        max(if(window_enters, window_cycle.{{ field }}, null)) as window_came_{{ name }},
        max(if(window_enters, null, window_cycle.{{ field }})) as window_left_{{ name }},
        {%- endfor %}
        max(if(window_enters, null, window_place)) as window_exit,
        max(window_last) as window_last,
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
)
{%- endmacro %}

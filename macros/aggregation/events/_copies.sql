{#- The events under one id in the order in which they came: the first with a usable time counts.
    Where two came together, their time and values decide, so that any run decides alike. -#}
{% macro _copies(task, is_new) -%}
select *
    from (
        select
            *,
            row_number() over (
                partition by {{ task.event_id }}, agg_event_time is null
                order by agg_event_arrival, agg_event_time
                    {%- for value in task.group_by + task.arguments %}, {{ value }}{% endfor %}
            ) as agg_copy
        from timed
    ) as feed
    {%- if is_new %}
    where {{ is_new }}
    {%- endif %}
{%- endmacro %}

{#- The events with their instant. Wrapped once, because dbt gives the source an alias of its own
    under `--empty` and `--sample`. -#}
{% macro _timed_events(task, condition=none) -%}
select
        feed.*,
        {{ strandline._event_time(task) }} as agg_event_time,
        {%- if task.time_kind == 'text' %}
        nullif({{ strandline._text_offset('feed.' ~ task.aggregate_by) }}, '') as agg_event_zone,
        {%- endif %}
        {{ strandline._arrival_of(task) }} as agg_event_arrival
    from (select * from {{ task.feed }}) as feed
    {%- if condition %}
    where {{ condition }}
    {%- endif %}
{%- endmacro %}

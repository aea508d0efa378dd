{#- The points of a source that have a time and a value, with their bucket in microseconds. Buckets are counted from a Monday,
    3 January 2000, so that weeks begin on Mondays. A point without an arrival stops the run. -#}
{% macro _bucketed_points(task, condition=none) -%}
    {%- set micros = 'unix_micros(cast(feed.' ~ task.ts ~ ' as timestamp))' -%}
select
        {%- for key in task['keys'] %}
        feed.{{ key }},
        {%- endfor %}
        {{ micros }} as agg_t,
        feed.{{ task.value }} as agg_value,
        coalesce(feed.{{ task.arrival }}, raise_error('{{ strandline._quoted(task.summary ~ "_table: a point of " ~ task.feed_name ~ " has no " ~ task.arrival ~ "; every point needs an arrival that only grows") }}')) as agg_arrival,
        {{ micros }} - pmod({{ micros }} - 946857600000000L, {{ task.bucket }}L) as agg_bucket
    from (select * from {{ task.feed }}) as feed
    where feed.{{ task.ts }} is not null and feed.{{ task.value }} is not null
    {%- if condition %}
        and {{ condition }}
    {%- endif %}
{%- endmacro %}

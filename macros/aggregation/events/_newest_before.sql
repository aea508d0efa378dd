{#- For each event, the newest bucket of the events that arrived before it (`agg_newest`, Unix
    seconds), over all groups; events of one arrival came together. A running maximum over the
    whole history, without a window over all of it: the range of arrivals is cut into at most a
    thousand stretches, each stretch starts from the newest of those before it, and only
    inside a stretch is anything sorted. -#}
{% macro _newest_before(task, events, newest) -%}
    {%- set order = 'agg_event_arrival' if task.arrival_type != 'timestamp' else 'unix_micros(agg_event_arrival)' -%}
arrivals as (
    select
        cast({{ order }} as bigint) as agg_order,
        max(unix_seconds({{ strandline.bucket_start('agg_event_time', task.finest, task.time_zone) }})) as newest
    from {{ events }}
    where {{ strandline._is_countable(task) }}
    group by 1
),

stretched as (
    select arrivals.*, (agg_order - earliest) div ((latest - earliest) div 1000 + 1) as stretch
    from arrivals
    cross join (select min(agg_order) as earliest, max(agg_order) as latest from arrivals)
),

stretches as (
    select
        stretch,
        max(max(newest)) over (order by stretch rows between unbounded preceding and 1 preceding) as newest
    from stretched
    group by stretch
),

newest_before as (
    select
        agg_order,
        greatest(
            max(stretched.newest) over (
                partition by stretch
                order by agg_order rows between unbounded preceding and 1 preceding
            ),
            stretches.newest,
            {{ newest or 'cast(null as bigint)' }}
        ) as agg_newest
    from stretched
    join stretches using (stretch)
),

judged as (
    select {{ events }}.*, newest_before.agg_newest
    from {{ events }}
    left join newest_before on cast({{ order }} as bigint) = newest_before.agg_order
)
{%- endmacro %}

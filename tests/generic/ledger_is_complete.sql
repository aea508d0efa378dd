{#- The runs of a ledger between whose arrivals the source has more events than that run received:
    they became visible later and are counted nowhere. It reads one column of the source, and finds
    such events also if others were removed from the source, unless that was in the same run. With
    dbt's `where` the runs that it selects are checked. With an `arrival_lookback` a run may receive
    lower arrivals than the ones before, so all runs are checked as one. -#}
{% test ledger_is_complete(model) %}
    {%- set table = strandline._tested_relation(model) -%}
    {%- if not execute or load_cached_relation(table) is none -%}
    select * from {{ model }}
    {%- else -%}
    {%- set task = strandline._stored_task(table) -%}
    with __each_run as (
        select
            run,
            arrival as __until,
            lag(arrival) over (order by run) as __after,
            received - quarantined
                - coalesce(lag(received - quarantined) over (order by run), 0)
                + greatest(corrected - coalesce(lag(corrected) over (order by run), 0), 0)
                as events_read
        from {{ table }}
    ),

    __runs as (
        {%- if task.get('has_lookback') %}
        select max(run) as run, max(__until) as __until, min_by(__after, run) as __after,
            sum(events_read) as events_read
        from __each_run
        {%- else %}
        select * from __each_run
        {%- endif %}
    ),

    __present as (
        select __runs.run, count(*) as events_present
        from (select {{ strandline._quoted(task.arrival) }} as __arrival from {{ task.upstream }})
        inner join __runs
            on __arrival <= __until and (__arrival > __after or __after is null)
        group by __runs.run
    )

    select run, __after as above_arrival, __until as up_to_arrival, events_read, events_present
    from __runs
    inner join __present using (run)
    where events_present > events_read
        and run in (select run from {{ model }})
    {%- endif -%}
{% endtest %}

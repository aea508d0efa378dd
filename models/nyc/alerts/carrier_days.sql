with days as (
    select *
    from {{ strandline.aggregation_within(
        strandline.flight_aggregation(), within='2013-**-** **:**:** -05:00', per='days') }}
)

select
    carrier,
    agg_timestamp as day_start,
    sum(departures) as departures
from days
group by carrier, agg_timestamp

with months as (
    select *
    from {{ strandline.aggregation_within(
        strandline.flight_aggregation(), within='2013-**-** **:**:** -05:00', per='months') }}
)

select
    date(from_utc_timestamp(agg_timestamp, agg_timezone)) as month_start,
    carrier,
    origin,
    flights,
    departures,
    round(avg_departure_delay, 1) as avg_departure_delay,
    round(avg_arrival_delay, 1) as avg_arrival_delay,
    max_departure_delay,
    total_distance
from months

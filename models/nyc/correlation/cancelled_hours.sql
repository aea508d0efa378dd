with cancelled as (
    select *
    from {{ strandline.row_status(ref('flight_outcomes'), 'new') }}
    where comment = 'cancelled'
)

select
    carrier,
    origin,
    timestamp_seconds(unix_seconds(scheduled_at) div 3600 * 3600) as hour_start,
    count(*) as cancelled,
    max(cycle.at) as known_at
from cancelled
group by carrier, origin, hour_start

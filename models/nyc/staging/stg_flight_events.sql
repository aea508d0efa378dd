with landed as (
    select * from {{ source('landing', 'flight_events') }}
)

select
    arrival,
    event_id,
    event,
    event_at,
    flight_id,
    carrier,
    tailnum,
    origin,
    dest,
    case when event = 'scheduled' then distance end as scheduled_distance,
    departure_delay,
    arrival_delay,
    scheduled_at
from landed

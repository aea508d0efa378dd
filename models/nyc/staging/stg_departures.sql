with events as (
    select * from {{ ref('stg_flight_events') }}
)

select
    arrival,
    flight_id,
    carrier,
    tailnum,
    origin,
    dest,
    event_at as departed_at,
    departure_delay
from events
where event = 'departed'

with events as (
    select * from {{ ref('stg_flight_events') }}
)

select
    arrival,
    flight_id,
    carrier,
    origin,
    dest,
    event_at as departed_at,
    departure_delay
from events
where event = 'departed'

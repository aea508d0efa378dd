with events as (
    select * from {{ ref('stg_flight_events') }}
)

select
    arrival,
    flight_id,
    origin,
    dest,
    event_at as arrived_at,
    arrival_delay
from events
where event = 'arrived'

with events as (
    select * from {{ ref('stg_flight_events') }}
)

-- Columns that never change are in the key: a range of schedules reads only its own flights.
select
    flight_id,
    carrier,
    origin,
    dest,
    scheduled_at,
    max(case when event = 'departed' then event_at end) as departed_at
from events
group by flight_id, carrier, origin, dest, scheduled_at

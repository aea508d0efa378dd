with flights as (
    select * from {{ ref('stg_flights') }}
)

select
    origin,
    timestamp_seconds(unix_seconds(scheduled_at) div 900 * 900) as quarter_start,
    count(*) as flights,
    count(*) - count(departed_at) as waiting
from flights
group by origin, quarter_start

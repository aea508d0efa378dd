with counts as (
    select
        origin,
        departures,
        cycle.at as counted_at,
        date(from_utc_timestamp(cycle.at, 'America/New_York')) as day
    from {{ strandline.row_status(ref('recent_departures'), 'new') }}
)

select
    origin,
    day,
    max(departures) as departures,
    min_by(counted_at, struct(-departures, counted_at)) as counted_at
from counts
group by origin, day

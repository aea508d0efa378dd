select
    dest,
    late_flights,
    total_delay,
    cycle.at as changed_at
from {{ strandline.row_status(ref('late_destinations'), 'not dead') }}
order by total_delay desc, dest asc
limit 5

select
    dest,
    late_flights,
    total_delay,
    cycle.at as changed_at
from {{ strandline.row_status(ref('late_destinations'), 'not dead') }}

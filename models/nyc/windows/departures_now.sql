select
    origin,
    departures,
    total_departures,
    cycle.at as changed_at
from {{ strandline.row_status(ref('recent_departures'), 'not dead') }}

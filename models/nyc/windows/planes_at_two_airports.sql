select
    later.tailnum,
    earlier.origin as first_origin,
    earlier.departed_at as first_departed_at,
    later.origin as second_origin,
    later.departed_at as second_departed_at
from {{ strandline.row_status(ref('plane_departures'), 'new') }} as later
inner join {{ strandline.row_status_at(ref('plane_departures'), 'later.cycle') }} as earlier
    on later.tailnum = earlier.tailnum and later.origin <> earlier.origin

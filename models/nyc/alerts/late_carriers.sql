select *
from {{ ref('flight_detections') }}
where detector = 'late_carrier'

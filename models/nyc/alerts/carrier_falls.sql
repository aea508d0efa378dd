with falls as (
    {{ strandline.percentage_change_detector(ref('carrier_days'), detector='carrier_day',
        keys=['carrier'], ts='day_start', value='departures', granularity='P1D', offset='P7D',
        percentage=30, pattern='down', missing='zero', time_zone='America/New_York') }}
)

-- With few flights a day, a change of one flight is not significant.
select
    *,
    cast(null as string) as origin
from falls
where baseline_value >= 20

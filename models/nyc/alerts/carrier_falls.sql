with falls as (
    {{ strandline.percentage_change_detector(ref('carrier_days'), detector='carrier_day',
        keys=['carrier'], ts='day_start', value='departures', granularity='P1D', offset='P7D',
        percentage=30, pattern='down', missing='zero', time_zone='America/New_York') }}
)

-- Of a few flights a day one more or less is nothing to be told.
select
    *,
    cast(null as string) as origin
from falls
where baseline_value >= 20

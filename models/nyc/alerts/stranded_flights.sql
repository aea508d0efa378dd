with stranded as (
    {{ strandline.threshold_detector(ref('quarter_hours'), detector='quarter_hour',
        keys=['origin'], ts='quarter_start', value='waiting', granularity='PT15M', max=2) }}
)

select
    *,
    cast(null as string) as carrier
from stranded

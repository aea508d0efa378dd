with landed as (
    select * from {{ source('landing', 'weather') }}
)

select
    arrival,
    origin,
    observed_at,
    temp,
    dewp,
    humid,
    case when wind_speed < 250 then wind_speed end as wind_speed,
    wind_gust,
    precip,
    pressure,
    visib,
    case
        when precip = 0 then 'dry'
        when precip > 0 and temp <= 32 then 'snow'
        when precip > 0 and temp > 32 then 'rain'
    end as weather
from landed

with months as (
    select
        *,
        to_utc_timestamp(
            add_months(from_utc_timestamp(agg_timestamp, agg_timezone), 1), agg_timezone
        ) as next_month
    from {{ strandline.aggregation_within(
        strandline.weather_aggregation(), within='2013-**-** **:**:** -05:00', per='months') }}
),

states as (
    select
        origin as airport,
        {{ strandline.rollup('summary', of='state_agg') }} as states
    from {{ ref('weather_states') }}
    group by origin
)

select
    date(from_utc_timestamp(agg_timestamp, agg_timezone)) as month_start,
    origin,
    reports,
    round({{ strandline.average('temperature') }}, 1) as avg_temperature,
    round({{ strandline.average('wind') }}, 1) as avg_wind,
    {{ strandline.elapsed_time('temperature', unit='hour') }} as hours_known,
    {{ strandline.num_gaps('temperature') }} as gaps,
    {{ strandline.duration_in('states', 'rain', 'agg_timestamp', end='next_month') }}
    / 3600 as rain_hours,
    {{ strandline.duration_in('states', 'snow', 'agg_timestamp', end='next_month') }}
    / 3600 as snow_hours,
    {{ strandline.duration_in('states', 'dry', 'agg_timestamp', end='next_month') }}
    / 3600 as dry_hours
from months
inner join states on origin = airport

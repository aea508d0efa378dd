{#- The demo's weather by airport, from days to years: averages that know where reports are
    missing. -#}
{% macro weather_aggregation() %}
    {{- return(strandline.aggregation(
        name='weather_aggregation',
        source=ref('stg_weather'),
        select={
            'temperature': "time_weight(temp, 'linear', '90 minutes')",
            'wind': "time_weight(wind_speed, 'locf', '90 minutes')",
            'reports': 'count(*)',
        },
        keys=['origin'],
        ts='observed_at',
        every='day...year',
        time_zone='America/New_York',
    )) -}}
{% endmacro %}

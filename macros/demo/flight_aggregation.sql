{#- The demo's aggregation: every flight of 2013 by carrier and airport, from seconds to years. -#}
{% macro flight_aggregation() %}
    {{- return(strandline.aggregation(
        name='flight_aggregation',
        source=ref('stg_flight_events'),
        select={
            'events': 'count(*)',
            'flights': 'count(scheduled_distance)',
            'departures': 'count(departure_delay)',
            'avg_departure_delay': 'avg(departure_delay)',
            'max_departure_delay': 'max(departure_delay)',
            'arrivals': 'count(arrival_delay)',
            'avg_arrival_delay': 'avg(arrival_delay)',
            'min_arrival_delay': 'min(arrival_delay)',
            'total_distance': 'sum(scheduled_distance)',
        },
        keys=['carrier', 'origin'],
        ts='event_at',
        every='sec...year',
        time_zone='America/New_York',
    )) -}}
{% endmacro %}

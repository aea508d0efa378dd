{{ strandline.window_table(source=ref('stg_departures'), ts='departed_at', keys=['origin'],
    store='last 30 minutes', pinned=true,
    aggregates={'departures': 'count(flight_id)',
        'total_departures': 'count(flight_id) entrance only'}) }}

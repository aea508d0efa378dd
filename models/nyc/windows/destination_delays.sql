{{ strandline.window_table(source=ref('stg_arrivals'), ts='arrived_at', keys=['dest'],
    store='last 30 days', where='arrival_delay >= 15',
    aggregates={'late_flights': 'count(arrival_delay)', 'total_delay': 'sum(arrival_delay)'}) }}

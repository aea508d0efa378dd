{{ strandline.anomalies(
    detections=[ref('carrier_falls'), ref('stranded_flights'), ref('late_carriers'),
        ref('cancelled_flights')],
    keys=['detector', 'carrier', 'origin'],
    re_notify_percentage_threshold=20, re_notify_absolute_threshold=10,
    mutability_period='P2D', granularity='PT15M', notify_look_back=none,
    clock='(select max(event_at) from ' ~ ref('stg_flight_events') ~ ')') }}

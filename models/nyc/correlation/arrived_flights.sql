{{ strandline.window_table(source=ref('stg_flight_events'), ts='event_at', store='last 36 hours',
    where="event = 'arrived'") }}

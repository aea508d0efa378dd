{{ strandline.aggregation_ledger(flight_aggregation(),
    quarantine=source('landing', 'flight_events_quarantine')) }}

{{ strandline.aggregation_ledger(strandline.flight_aggregation(),
    quarantine=source('landing', 'flight_events_quarantine')) }}

{{ strandline.anomaly_notifications(ref('flight_anomalies'),
    unit={'carrier_day': 'departures', 'quarter_hour': 'flights waiting',
        'late_carrier': 'minutes of delay', 'cancelled_flights': 'cancelled flights'}) }}

{{ strandline.anomalies_active(
    ref('flight_anomalies'), feedback=ref('anomaly_feedback'), order_by='noted_at') }}

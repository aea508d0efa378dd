{{ strandline.anomaly_notifications(ref('flight_anomalies')) }}

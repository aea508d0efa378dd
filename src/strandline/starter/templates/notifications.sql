{{ strandline.anomaly_notifications(ref('[[ events ]]_anomalies')) }}

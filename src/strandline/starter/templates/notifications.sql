{{ strandline.anomaly_notifications(ref('[[ events ]]_anomalies'),
    measured='[[ value or counted ]]'[% if bounds %], bounds=true[% endif %]) }}

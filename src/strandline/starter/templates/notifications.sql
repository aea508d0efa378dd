{#- The outbox. `unit='kW'` is for the titles, and `silences` names a seed of times in which
    nothing is to be sent: see `strandline mute --help`. -#}
{{ strandline.anomaly_notifications(ref('[[ events ]]_anomalies'),
    measured='[[ value or counted ]]'[% if bounds %], bounds=true[% endif %]) }}
